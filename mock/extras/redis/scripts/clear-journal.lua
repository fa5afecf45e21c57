-- Empties the journal of a sandbox.
clear_journal(name)
