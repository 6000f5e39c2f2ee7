// Written by `palace connect opencode`, which also removes it (--undo) and writes it anew: changes here are lost.
// After a command or an edit it asks Palace for what bears on it, and adds that to what the agent reads of the tool.
import { spawn } from "node:child_process"

const HOOKS = {}
const [HOOK] = HOOKS.PostToolUse
const TOOLS = new RegExp(`^(${HOOK.matcher})$`)
const ofAgents = new Set()

/** Run the hook; "" if it fails, is not there, or takes too long. */
function ask(event) {
  return new Promise((resolve) => {
    let said = ""
    const child = spawn("/bin/sh", ["-c", HOOK.command], { cwd: event.cwd, stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => (resolve(""), child.kill("SIGKILL")), HOOK.timeout * 1000)
    const end = (text) => (clearTimeout(timer), resolve(text))
    child.on("error", () => end("")).on("close", () => end(said))
    child.stdout.on("data", (part) => (said += part))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

export const Palace = async ({ directory }) => ({
  event: async ({ event }) => {
    const session = event?.properties?.info
    if (event?.type === "session.created" && session?.parentID) ofAgents.add(session.id)
  },
  "tool.execute.after": async ({ tool, sessionID, args }, result) => {
    try {
      if (!TOOLS.test(tool) || ofAgents.has(sessionID)) return
      const said = await ask({
        hook_event_name: "PostToolUse",
        session_id: sessionID,
        cwd: directory,
        tool_name: tool,
        tool_input: args,
        tool_response: { exit_code: result.metadata?.exit ?? 0, output: result.output },
      })
      const block = said && JSON.parse(said).hookSpecificOutput?.additionalContext
      if (block) result.output += `\n\n${block}`
    } catch {} // the agent goes on without
  },
})
