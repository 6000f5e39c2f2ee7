"""What signals weigh: fitted on questions to develop with, measured on folds that were left out."""
