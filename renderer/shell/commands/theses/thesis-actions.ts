import type { Command } from '../command.ts'

/** The parts of the terminal that the verbs about one thesis use. */
export interface ThesisOpener {
  askThesis(command: Command): void
}

/** The pane of the thesis shows what the command will do, and a second Enter does it. */
export function thesisAction(opener: ThesisOpener, command: Command): boolean {
  opener.askThesis(command)
  return true
}
