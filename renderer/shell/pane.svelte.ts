import type { Source } from '../api/source.svelte.ts'
import { shortTicker } from '../lib/format.ts'
import { backtestWords } from './backtest-commands.ts'
import { commandText, type Command, type LinkLetter } from './command.ts'
import { specOf } from './commands.ts'

/** Changes of what a pane keeps, which it can take back; false when there is nothing to take back. */
export interface PaneEdits {
  undo(): boolean
  redo(): boolean
}

/** One open pane: the command that made it, the link group it belongs to, what it reads. */
export class Pane {
  readonly id: string
  command = $state.raw<Command>() as Command
  /** The group whose market it follows and sets. */
  link = $state<LinkLetter>('A')
  /** Hidden panes (behind another tab) ask and draw nothing. */
  visible = $state(true)
  /** Holds still, by itself. */
  isPaused = $state(false)
  /** What the header judges the pane's age by. */
  sources = $state.raw<readonly Source[]>([])
  /** Its rows as the reader sees them, for panes whose rows are more than one answer of the service. */
  rowsShown: (() => readonly Readonly<Record<string, unknown>>[]) | null = null
  /** For panes that change something of the reader's. */
  edits: PaneEdits | null = null
  /** Pane-specific addition to the title, such as the number of rows. */
  note = $state('')

  constructor(id: string, command: Command, link: LinkLetter) {
    this.id = id
    this.command = command
    this.link = link
  }

  // No `$derived` here: a pane outlives the effect that made it.
  get line(): string {
    return commandText(this.command)
  }

  get title(): string {
    return titleOf(this.command)
  }
}

function titleOf(command: Command): string {
  const { title } = specOf(command.verb)
  const words = [
    ...(command.verb === 'BT' ? backtestWords(command) : []),
    ...(command.subject?.kind === 'topic' && command.args['path'] === undefined
      ? [command.subject.topic]
      : []),
    ...(command.subject?.kind === 'ticker' ? [shortTicker(command.subject.ticker)] : []),
    ...(command.args['path'] === undefined ? [] : [command.args['path']]),
    ...(command.args['text'] === undefined ? [] : [`«${command.args['text']}»`]),
    ...(command.filters.length === 0 || command.verb === 'BT' ? [] : ['filtered']),
  ]
  return [title, ...words].join(' · ')
}
