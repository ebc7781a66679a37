import type { Source } from '../../api/source.svelte.ts'
import { shortTicker } from '../../lib/format.ts'
import { backtestLabel } from '../commands/backtest-view.ts'
import { thesisLabel } from '../commands/theses/thesis-view.ts'
import { commandText, type Command, type LinkLetter } from '../commands/command.ts'
import { specOf, type Verb } from '../commands/commands.ts'

/** Undo of changes to a pane's own content; false when there is nothing to undo. */
export interface PaneEdits {
  undo(): boolean
  redo(): boolean
}

/** One open pane: its command, its link group, and the sources it reads. */
export class Pane {
  readonly id: string
  command = $state.raw<Command>() as Command
  /** The group whose market it follows and sets. */
  link = $state<LinkLetter>('A')
  /** Hidden panes (behind another tab) send no requests and draw nothing. */
  visible = $state(true)
  /** Paused individually. */
  isPaused = $state(false)
  /** The user kept it; otherwise the next command of its kind reuses it. */
  isKept = $state(true)
  /** A stored layout opened it, and the user has not chosen it since. */
  isRestored = false
  /** The sources that determine the age in the pane's header. */
  sources = $state.raw<readonly Source[]>([])
  /** The rows as shown, for panes whose rows combine several responses. */
  visibleRows: (() => readonly Readonly<Record<string, unknown>>[]) | null = null
  /** For panes that edit the user's own data. */
  edits: PaneEdits | null = null
  /** Pane-specific addition to the title, such as the number of rows. */
  note = $state('')

  constructor(id: string, command: Command, link: LinkLetter) {
    this.id = id
    this.command = command
    this.link = link
  }

  /** Notes the number of rows beside the title; nothing without any. */
  showCount(rows: number): void {
    this.note = rows === 0 ? '' : String(rows)
  }

  /** Forgets what its content reported, because another content replaces it. */
  resetContent(): void {
    this.sources = []
    this.visibleRows = null
    this.edits = null
    this.note = ''
  }

  // No `$derived`, because a pane outlives the effect that created it.
  get line(): string {
    return commandText(this.command)
  }

  get title(): string {
    return titleOf(this.command)
  }
}

/** Their filters are values of a form, and narrow no list. */
const HAS_OWN_FILTERS: ReadonlySet<Verb> = new Set(['BT', 'INTENT'])

function titleOf(command: Command): string {
  const { title } = specOf(command.verb)
  const words = [
    ...(command.verb === 'BT' ? backtestLabel(command) : []),
    ...(command.verb === 'THES' ? thesisLabel(command) : []),
    ...(command.subject?.kind === 'topic' && command.args['path'] === undefined
      ? [command.subject.topic]
      : []),
    ...(command.subject?.kind === 'ticker' ? [shortTicker(command.subject.ticker)] : []),
    ...(command.args['path'] === undefined ? [] : [command.args['path']]),
    ...(command.args['text'] === undefined ? [] : [`“${command.args['text']}”`]),
    ...(command.filters.length === 0 || HAS_OWN_FILTERS.has(command.verb) ? [] : ['filtered']),
  ]
  return [title, ...words].join(' · ')
}
