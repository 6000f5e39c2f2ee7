CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    user_id TEXT,
    session_key TEXT,
    chat_id TEXT,
    chat_type TEXT,
    thread_id TEXT,
    display_name TEXT,
    origin_json TEXT,
    expiry_finalized INTEGER DEFAULT 0,
    model TEXT,
    model_config TEXT,
    system_prompt TEXT,
    parent_session_id TEXT,
    started_at REAL NOT NULL,
    ended_at REAL,
    end_reason TEXT,
    message_count INTEGER DEFAULT 0,
    tool_call_count INTEGER DEFAULT 0,
    input_tokens INTEGER DEFAULT 0,
    output_tokens INTEGER DEFAULT 0,
    cache_read_tokens INTEGER DEFAULT 0,
    cache_write_tokens INTEGER DEFAULT 0,
    reasoning_tokens INTEGER DEFAULT 0,
    cwd TEXT,
    git_branch TEXT,
    git_repo_root TEXT,
    billing_provider TEXT,
    billing_base_url TEXT,
    billing_mode TEXT,
    estimated_cost_usd REAL,
    actual_cost_usd REAL,
    cost_status TEXT,
    cost_source TEXT,
    pricing_version TEXT,
    title TEXT,
    api_call_count INTEGER DEFAULT 0,
    handoff_state TEXT,
    handoff_platform TEXT,
    handoff_error TEXT,
    compression_failure_cooldown_until REAL,
    compression_failure_error TEXT,
    compression_fallback_streak INTEGER NOT NULL DEFAULT 0,
    profile_name TEXT,
    rewind_count INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (parent_session_id) REFERENCES sessions(id)
);
INSERT INTO sessions (id, source, expiry_finalized, model, started_at, message_count, tool_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cwd, title, api_call_count, compression_fallback_streak, rewind_count, archived) VALUES ('winch', 'cli', 0, 'm', 1.79605773601475214953e+09, 4, 1, 0, 0, 0, 0, 0, '/home/ines/kiln', 'Winch', 0, 0, 0, 0);
INSERT INTO sessions (id, source, expiry_finalized, model, started_at, message_count, tool_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cwd, title, api_call_count, compression_fallback_streak, rewind_count, archived) VALUES ('pump', 'cli', 0, 'm', 1.79605773605932497976e+09, 7, 2, 0, 0, 0, 0, 0, '/home/ines/kiln', 'Pump', 0, 0, 0, 0);
INSERT INTO sessions (id, source, expiry_finalized, model, started_at, message_count, tool_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cwd, title, api_call_count, compression_fallback_streak, rewind_count, archived) VALUES ('loom', 'cli', 0, 'm', 1.7960577361231930256e+09, 6, 0, 0, 0, 0, 0, 0, '/home/ines/kiln', 'Loom', 0, 0, 1, 0);
INSERT INTO sessions (id, source, expiry_finalized, model, model_config, parent_session_id, started_at, message_count, tool_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cwd, api_call_count, compression_fallback_streak, rewind_count, archived) VALUES ('sub', 'cli', 0, 'm', '{"_delegate_from": "winch"}', 'winch', 1.79605773617785096163e+09, 1, 0, 0, 0, 0, 0, 0, '/home/ines/kiln', 0, 0, 0, 0);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL,
    content TEXT,
    tool_call_id TEXT,
    tool_calls TEXT,
    tool_name TEXT,
    effect_disposition TEXT,
    timestamp REAL NOT NULL,
    token_count INTEGER,
    finish_reason TEXT,
    reasoning TEXT,
    reasoning_content TEXT,
    reasoning_details TEXT,
    codex_reasoning_items TEXT,
    codex_message_items TEXT,
    platform_message_id TEXT,
    observed INTEGER DEFAULT 0,
    active INTEGER NOT NULL DEFAULT 1,
    compacted INTEGER NOT NULL DEFAULT 0,
    api_content TEXT
);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (1, 'winch', 'user', 'Which fuse does the winch need?', 1777888800.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, tool_calls, timestamp, observed, active, compacted) VALUES (2, 'winch', 'assistant', 'I look it up.', '[{"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"notes/winch.md\"}"}}]', 1777888810.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, tool_call_id, tool_name, timestamp, observed, active, compacted) VALUES (3, 'winch', 'tool', 'fuse 40 A, slow-blow', 'c1', 'read_file', 1777888812.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (4, 'winch', 'assistant', 'Use a 40 amp slow-blow fuse.', 1777888820.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (5, 'pump', 'user', 'Run the tests of the pump.', 1777888900.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, tool_calls, timestamp, observed, active, compacted) VALUES (6, 'pump', 'assistant', '', '[{"id": "c2", "type": "function", "function": {"name": "terminal", "arguments": "{\"command\": \"pytest -q pump\"}"}}]', 1777888910.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, tool_call_id, tool_name, timestamp, observed, active, compacted) VALUES (7, 'pump', 'tool', 'FAILED tests/test_pump.py::test_prime', 'c2', 'terminal', 1777888915.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (8, 'pump', 'assistant', 'One test fails: priming.', 1777888920.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (9, 'pump', 'user', 'Mend it, please.', 1777888930.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, tool_calls, timestamp, observed, active, compacted) VALUES (10, 'pump', 'assistant', 'Mended.', '[{"id": "c3", "type": "function", "function": {"name": "write_file", "arguments": "{\"path\": \"pump.py\", \"content\": \"PRIME = 3\\n\"}"}}]', 1777888940.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, tool_call_id, tool_name, timestamp, observed, active, compacted) VALUES (11, 'pump', 'tool', 'written', 'c3', 'write_file', 1777888941.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (12, 'loom', 'user', 'How wide is the loom?', 1777889000.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (13, 'loom', 'assistant', 'A metre.', 1777889010.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (14, 'loom', 'user', 'How deep is the loom?', 1777889020.0, 0, 0, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (15, 'loom', 'assistant', 'Half a metre.', 1777889030.0, 0, 0, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (16, 'loom', 'user', 'How high is the loom?', 1777889040.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (17, 'loom', 'assistant', 'Two metres.', 1777889050.0, 0, 1, 0);
INSERT INTO messages (id, session_id, role, content, timestamp, observed, active, compacted) VALUES (18, 'sub', 'user', 'Find the fuse.', 1777888811.0, 0, 1, 0);
CREATE TABLE state_meta (
    key TEXT PRIMARY KEY,
    value TEXT
);
