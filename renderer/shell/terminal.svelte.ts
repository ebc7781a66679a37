import { SvelteMap } from 'svelte/reactivity'
import type { Live } from '../api/live.ts'
import type { OpenMenu } from '../ui/menu/menu.ts'
import { KeyRegistry } from '../lib/keyboard.ts'
import { reportingStorage, type KeyValueStore } from '../lib/key-value-store.ts'
import { Account } from './window/account.svelte.ts'
import { Aliases } from './commands/aliases.svelte.ts'
import { goTo, runWindowAction } from './commands/app-commands.ts'
import { backtestView } from './commands/backtest-view.ts'
import { Drawings } from './window/drawings.svelte.ts'
import { Blocks } from './bar/blocks.svelte.ts'
import {
  commandText,
  LINK_LETTERS,
  type Command,
  type LinkLetter,
  type ParseProblem,
  type TextForm,
} from './commands/command.ts'
import { specOf, type Verb } from './commands/commands.ts'
import { thesisCommand, thesisView } from './commands/theses/thesis-view.ts'
import { hasOwnPane, kindOf } from './commands/pane-kind.ts'
import type { Dock, Placement } from './dock/dock.ts'
import { exportToFile } from './export/export-to-file.ts'
import { ServiceHealth } from './window/health.svelte.ts'
import { Pane } from './dock/pane.svelte.ts'
import { Pausing } from './dock/pausing.svelte.ts'
import { NamedLayouts } from './dock/named-layouts.svelte.ts'
import { parseLine } from './commands/parse.ts'
import type { SinglePane } from './dock/pop-out.ts'
import { FillMarks } from './links/fill-marks.svelte.ts'
import { showCommand } from './commands/show-command.ts'
import { KeySettings } from './window/key-settings.svelte.ts'
import { LinkGroups } from './links/link-groups.svelte.ts'
import { openCommandsOf } from './commands/link-line.ts'
import { Settings } from './window/settings.svelte.ts'
import { Tour } from './window/tour.svelte.ts'
import { WatchlistSync } from './window/watchlist-sync.svelte.ts'
import { Watchlist } from './window/watchlist.svelte.ts'
import { Welcome } from './window/welcome.svelte.ts'
import { WORKSPACES } from './dock/workspaces.ts'

const NOT_STORED =
  'Local storage is full or blocked, so changes are lost when this window closes. SAVE to json exports the layouts'

export interface Notice {
  readonly tone: 'info' | 'error'
  readonly text: string
}

/** Panes of one verb with different views are different panes. */
const viewOf = (command: Command): string =>
  command.verb === 'BT' ? backtestView(command) : command.verb === 'THES' ? thesisView(command) : ''

/** A term of the glossary, shown beside the mark at a place of the window. */
export interface OpenTerm {
  readonly term: string
  /** Name of the explained quantity. */
  readonly name: string
  readonly at: Pick<DOMRect, 'left' | 'top' | 'bottom'>
}

/** Shared state of the page: panes, link groups, keys, settings, and the execution of commands. */
export class Terminal {
  readonly live: Live
  readonly keys = new KeyRegistry()
  readonly settings: Settings
  readonly keySettings: KeySettings
  readonly health: ServiceHealth
  readonly account: Account
  readonly welcome: Welcome
  readonly aliases: Aliases
  readonly layouts: NamedLayouts
  readonly watchlist: Watchlist
  readonly watchlistSync: WatchlistSync
  readonly drawings: Drawings
  readonly panes = new SvelteMap<string, Pane>()
  readonly groups: LinkGroups
  /** Backtest fills that charts of a link group mark. */
  readonly fillMarks = new FillMarks()
  workspace = $state(1)
  focusedPane = $state<string | null>(null)
  notice = $state.raw<Notice | null>(null)
  /** The open context menu. */
  menu = $state.raw<OpenMenu | null>(null)
  /** The term of the glossary that is explained beside its mark. */
  term = $state.raw<OpenTerm | null>(null)
  /** Trading of the signed-in user is halted. */
  halted = $state(false)
  /** Whether the ticks of the signed-in user trade at an exchange; null before it is known. */
  trading = $state<'live' | 'paper' | null>(null)
  /** The gallery of panes is open. */
  galleryShown = $state(false)
  /** Text to put into the command bar, with a counter so that the same text can be set twice. */
  prompt = $state.raw<{ readonly text: string; readonly count: number } | null>(null)
  /** The pending request of a PANEL command, until the board processes it. */
  boardRequested = $state.raw<{ readonly pane: string; readonly command: Command } | null>(null)
  /** The pending request of a command about a thesis, until its pane processes it. */
  thesisRequested = $state.raw<{ readonly pane: string; readonly command: Command } | null>(null)
  /** Lines that ran, newest last. */
  readonly history = $state<string[]>([])
  /** Command history by workspace. */
  readonly #blocks = WORKSPACES.map(() => new Blocks())
  readonly tour = new Tour((line) => this.run(line))
  readonly pausing: Pausing = new Pausing(this.panes, (text) => this.showNotice(text))
  dock: Dock | null = null
  /** Commands queued until the panes are built; null afterwards. */
  #earlyActions: (() => void)[] | null = null
  /** The pane of a pane window; null in the terminal itself. */
  readonly singlePane: SinglePane | null
  /** Called when a link group's market is changed in this window. */
  onfocus: ((letter: LinkLetter, ticker: string) => void) | null = null
  /** Local storage; it reports failed writes. */
  readonly storage: KeyValueStore
  #paneCount = 0

  constructor(live: Live, local: KeyValueStore, singlePane: SinglePane | null = null) {
    this.live = live
    this.singlePane = singlePane
    this.storage = reportingStorage(local, () => this.showNotice(NOT_STORED, 'error'))
    const { storage } = this
    this.aliases = new Aliases(storage)
    this.layouts = new NamedLayouts(storage)
    this.watchlist = new Watchlist(storage)
    this.drawings = new Drawings(storage)
    this.settings = new Settings(storage)
    this.keySettings = new KeySettings(storage, this.keys)
    this.health = new ServiceHealth(live)
    this.account = new Account(live)
    this.watchlistSync = new WatchlistSync(live, this.account, this.watchlist, (text, tone) =>
      this.showNotice(text, tone),
    )
    this.welcome = new Welcome(storage)
    this.groups = new LinkGroups(storage)
  }

  /** The market of each link group. */
  get links(): LinkGroups['markets'] {
    return this.groups.markets
  }

  /** Crosshair of each link group. */
  get crosshairs(): LinkGroups['crosshairs'] {
    return this.groups.crosshairs
  }

  /** The past instant that each link group shows; null for now. */
  get instants(): LinkGroups['instants'] {
    return this.groups.instants
  }

  /** Time range that charts of a link group share. */
  get ranges(): LinkGroups['ranges'] {
    return this.groups.ranges
  }

  /** Call when another window of this machine stored a value under a key. */
  onStoredElsewhere(name: string | null): void {
    const keptState = {
      'augury.settings': this.settings,
      'augury.keys': this.keySettings,
      'augury.aliases': this.aliases,
      'augury.layouts': this.layouts,
      'augury.watchlist': this.watchlist,
      'augury.drawings': this.drawings,
    }
    for (const [known, part] of Object.entries(keptState)) {
      if (name === known || name === null) part.reload()
    }
  }

  /** Registers a pane; the dock then shows it. */
  newPane(command: Command, link: LinkLetter): Pane {
    do this.#paneCount += 1
    while (this.panes.has(`pane-${this.#paneCount}`))
    return this.adopt(`pane-${this.#paneCount}`, command, link)
  }

  /** Registers a pane under its id from a stored layout. */
  adopt(id: string, command: Command, link: LinkLetter): Pane {
    const pane = new Pane(id, { ...command, sink: null }, link)
    this.panes.set(id, pane)
    return pane
  }

  /** The market of a pane: its own, or that of its link group. */
  tickerOf(pane: Pane): string | null {
    const { subject } = pane.command
    if (subject?.kind === 'ticker') return subject.ticker
    return subject?.kind === 'focus' ? this.links[pane.link] : null
  }

  /** The market of a command: its own, or that of the focused pane's group. */
  marketOf({ subject }: Command): string | null {
    if (subject?.kind === 'ticker') return subject.ticker
    return subject?.kind === 'focus' ? this.links[this.letter] : null
  }

  /** Sets the market of a link group. */
  focusMarket(letter: LinkLetter, ticker: string): void {
    this.onfocus?.(letter, ticker)
    this.receiveFocus(letter, ticker)
  }

  /** Sets the market of a link group from another window's message. */
  receiveFocus(letter: LinkLetter, ticker: string): void {
    this.groups.setTicker(letter, ticker)
  }

  /** Runs a line. Returns the error when it cannot be parsed; nothing runs then. */
  run(line: string, options: { readonly inNewPane?: boolean } = {}): ParseProblem | null {
    const commands = parseLine(line, this.aliases.commands)
    if ('message' in commands) return commands
    this.notice = null
    if (this.history.at(-1) !== line.trim()) this.history.push(line.trim())
    this.#executeAll(commands, options.inNewPane === true)
    return null
  }

  /** Runs the line of a link, which may only open panes. Returns why it was rejected. */
  runLink(line: string): string | null {
    const commands = openCommandsOf(line)
    if (typeof commands === 'string') return commands
    this.#executeAll(commands, false)
    return null
  }

  /** Commands of one line never take each other's pane. */
  #executeAll(commands: readonly Command[], inNewPane: boolean): void {
    if (this.#earlyActions !== null) {
      this.#earlyActions.push(() => this.#executeAll(commands, inNewPane))
      return
    }
    for (const command of commands) {
      const pane = this.#execute(command, inNewPane)
      if (commands.length > 1 && pane !== null) {
        pane.isKept = true
        this.dock?.describe(pane)
      }
    }
  }

  /**
   * Queues commands and the choice of a workspace until the panes are built. @returns to be called
   * when they are
   */
  awaitPanes(): () => void {
    this.#earlyActions = []
    return () => {
      const earlyActions = this.#earlyActions ?? []
      this.#earlyActions = null
      for (const act of earlyActions) act()
    }
  }

  execute(command: Command, inNewPane = false): void {
    if (this.#earlyActions !== null) {
      this.#earlyActions.push(() => this.execute(command, inNewPane))
      return
    }
    this.#execute(command, inNewPane)
  }

  /** Acts on a command or shows it; returns the pane that shows it. */
  #execute(command: Command, inNewPane: boolean): Pane | null {
    return runWindowAction(this, command) ? null : showCommand(this, command, inNewPane)
  }

  /** Commands of this workspace, newest last. */
  get blocks(): Blocks {
    return this.#blocks[this.workspace - 1] ?? new Blocks()
  }

  /** Opens a workspace by number or name, or a saved layout. */
  goTo(word: string): void {
    if (this.#earlyActions === null) goTo(this, word)
    else this.#earlyActions.push(() => this.goTo(word))
  }

  /** Opens a new pane for a command. */
  open(command: Command, placement: Placement = 'tab', letter = this.letter): Pane {
    const pane = this.newPane(command, letter)
    this.dock?.add(pane, placement)
    this.dock?.activate(pane.id)
    return pane
  }

  /**
   * Shows a verb's pane: the open one (of the link group, when a market is shown), else a new tab.
   */
  openVerb(verb: Verb, letter: LinkLetter, command: Command): Pane {
    const needsMarket = specOf(verb).needsMarket
    const open = [...this.panes.values()].find(
      (pane) =>
        pane.command.verb === verb &&
        (pane.command.subject?.kind !== 'ticker' || hasOwnPane(verb)) &&
        viewOf(pane.command) === viewOf(command) &&
        (!needsMarket || pane.link === letter),
    )
    if (open === undefined) return this.#reuse(command, letter)
    const args = { ...open.command.args, ...command.args }
    open.command = needsMarket ? { ...open.command, args } : { ...command, sink: null }
    this.dock?.describe(open)
    this.dock?.activate(open.id)
    return open
  }

  /** Shows a command in the pane that the last command of its kind opened, else in a new one. */
  #reuse(command: Command, letter: LinkLetter): Pane {
    const kind = kindOf(command.verb)
    const last = [...this.panes.values()].find(
      (pane) => !pane.isKept && pane.link === letter && kindOf(pane.command.verb) === kind,
    )
    if (last === undefined) {
      const pane = this.open(command, 'tab', letter)
      pane.isKept = false
      this.dock?.describe(pane)
      return pane
    }
    last.resetContent()
    this.replaceCommand(last, command)
    this.dock?.activate(last.id)
    return last
  }

  /** Opens the board and passes it the panel request. */
  askBoard(command: Command): void {
    const { id } = this.openVerb('MW', this.letter, {
      verb: 'MW',
      subject: null,
      args: {},
      filters: [],
      venue: null,
      flags: [],
      sink: null,
    })
    this.boardRequested = { pane: id, command }
  }

  /** Opens the pane of a thesis, the named one or the one shown last, and passes it the request. */
  askThesis(command: Command): void {
    const open = [...this.panes.values()].find(
      (pane) => pane.command.verb === 'THES' && thesisView(pane.command) === 'thesis',
    )
    const id = command.args['id'] ?? open?.command.args['id']
    const args = id === undefined ? { action: 'latest' } : { id }
    const pane = this.openVerb('THES', this.letter, thesisCommand(args))
    this.thesisRequested = { pane: pane.id, command }
  }

  /** Halts trading at once. */
  halt(): void {
    import('./window/trading-state.svelte.ts').then(
      ({ haltTrading }) => void haltTrading(this),
      () => this.showNotice('Not halted: the service is not reachable', 'error'),
    )
  }

  /** Exports the content of a pane. */
  shareAnswer(pane: Pane, form: TextForm): void {
    const { command, link } = pane
    exportToFile(this, { command, ticker: this.tickerOf(pane), link, form, from: pane })
  }

  /**
   * Opens a market from a row: the pane's link group is set to it, and the verb's pane is shown.
   */
  openMarket(pane: Pane, ticker: string, verb: Verb | null): void {
    this.focusMarket(pane.link, ticker)
    const follows = [...this.panes.values()].some(
      (other) => other.link === pane.link && other.command.subject?.kind === 'focus',
    )
    const target = verb ?? (follows ? null : 'DES')
    if (target === null) return
    this.openVerb(target, pane.link, {
      verb: target,
      subject: { kind: 'focus' },
      args: {},
      filters: [],
      venue: null,
      flags: [],
      sink: null,
    })
  }

  /** Changes the command of a pane, as if it had been typed that way. */
  setArguments(pane: Pane, args: Readonly<Record<string, string>>): void {
    pane.command = { ...pane.command, args: { ...pane.command.args, ...args } }
    this.dock?.describe(pane)
  }

  /** Shows another command of the same verb in a pane. */
  replaceCommand(pane: Pane, command: Command): void {
    pane.command = { ...command, sink: null }
    this.dock?.describe(pane)
  }

  /** Moves a pane into a window of its own. */
  popOut(pane: Pane): void {
    void import('./dock/window-family.svelte.ts').then(({ popOut }) => popOut(this, pane))
  }

  relink(pane: Pane): void {
    const next = (LINK_LETTERS.indexOf(pane.link) + 1) % LINK_LETTERS.length
    pane.link = LINK_LETTERS[next] ?? 'A'
    this.dock?.describe(pane)
  }

  refresh(pane: Pane): void {
    for (const source of pane.sources) this.live.refresh(source)
  }

  /** The command that recreates a pane in its current state, with its market. */
  lineOf(pane: Pane): string {
    const ticker = this.tickerOf(pane)
    const subject = ticker === null ? pane.command.subject : ({ kind: 'ticker', ticker } as const)
    return commandText({ ...pane.command, subject })
  }

  prefill(text: string): void {
    this.prompt = { text, count: (this.prompt?.count ?? 0) + 1 }
  }

  showNotice(text: string, tone: Notice['tone'] = 'info'): void {
    this.notice = { text, tone }
  }

  /** The pane with the focus. */
  get focused(): Pane | null {
    return this.panes.get(this.focusedPane ?? '') ?? null
  }

  /** The link group of commands that name none: that of the pane with the focus. */
  get letter(): LinkLetter {
    return this.focused?.link ?? 'A'
  }
}
