import { SvelteMap } from 'svelte/reactivity'
import type { Live } from '../api/live.ts'
import { KeyRegistry } from '../lib/keyboard.ts'
import { tellingKeep, type Keep } from '../lib/keep.ts'
import { Account } from './account.svelte.ts'
import { Aliases } from './aliases.svelte.ts'
import { actOn, goTo } from './app-verbs.ts'
import { backtestView } from './backtest-view.ts'
import { Backup } from './backup.svelte.ts'
import { Blocks, measure, type Block } from './blocks.svelte.ts'
import {
  commandText,
  LINK_LETTERS,
  type Command,
  type LinkLetter,
  type ParseProblem,
  type TextForm,
} from './command.ts'
import { specOf, type Verb } from './commands.ts'
import type { Dock, Placement } from './dock.ts'
import { handOut } from './hand-out.ts'
import { ServiceHealth } from './health.svelte.ts'
import { Pane } from './pane.svelte.ts'
import { Pausing } from './pausing.svelte.ts'
import { NamedLayouts } from './named-layouts.svelte.ts'
import { parseLine } from './parse.ts'
import type { Alone } from './pop-out.ts'
import { FillMarks } from './fill-marks.svelte.ts'
import { isTextSink } from './send-out.ts'
import { KeySettings } from './key-settings.svelte.ts'
import { LinkGroups } from './link-groups.svelte.ts'
import { openingsOf } from './link-line.ts'
import { Settings } from './settings.svelte.ts'
import { Tour } from './tour.svelte.ts'
import { Watchlist } from './watchlist.svelte.ts'
import { Welcome } from './welcome.svelte.ts'
import { WORKSPACES } from './workspaces.ts'

const NOT_KEPT =
  'Nothing more can be kept on this machine: its store is full or forbidden. What you see stays until the window closes; SAVE to json writes layouts to a file'

export interface Notice {
  readonly tone: 'info' | 'error'
  readonly text: string
}

/** What the page's parts share: panes, link groups, keys, settings, and the running of commands. */
export class Terminal {
  readonly live: Live
  readonly keys = new KeyRegistry()
  readonly settings: Settings
  readonly keySettings: KeySettings
  readonly health: ServiceHealth
  readonly account: Account
  readonly backup: Backup
  readonly welcome: Welcome
  readonly aliases: Aliases
  readonly layouts: NamedLayouts
  readonly watchlist: Watchlist
  readonly panes = new SvelteMap<string, Pane>()
  readonly groups: LinkGroups
  /** Fills of a backtest that charts of a link group mark. */
  readonly fillMarks = new FillMarks()
  workspace = $state(1)
  focusedPane = $state<string | null>(null)
  notice = $state.raw<Notice | null>(null)
  /** Text to put into the command bar, with a count so that the same text acts twice. */
  prompt = $state.raw<{ readonly text: string; readonly count: number } | null>(null)
  /** What PANEL asked of a board, until that board takes it. */
  boardAsked = $state.raw<{ readonly pane: string; readonly command: Command } | null>(null)
  /** Lines that ran, newest last. */
  readonly past = $state<string[]>([])
  /** What was asked in each workspace. */
  readonly #blocks = WORKSPACES.map(() => new Blocks())
  readonly tour = new Tour((line) => this.run(line))
  readonly pausing: Pausing = new Pausing(this.panes, (text) => this.say(text))
  dock: Dock | null = null
  /** What was asked while the panes were still to come; null once they stand. */
  #early: (() => void)[] | null = null
  /** The one pane of a window of its own; null in the terminal itself. */
  readonly alone: Alone | null
  /** Hears of each market that a link group takes here. */
  onfocus: ((letter: LinkLetter, ticker: string) => void) | null = null
  /** Where local things are kept; it says when nothing can be. */
  readonly keep: Keep
  #paneCount = 0

  constructor(live: Live, local: Keep, alone: Alone | null = null) {
    this.live = live
    this.alone = alone
    this.keep = tellingKeep(local, () => this.say(NOT_KEPT, 'error'))
    const { keep } = this
    this.aliases = new Aliases(keep)
    this.layouts = new NamedLayouts(keep)
    this.watchlist = new Watchlist(keep)
    this.settings = new Settings(keep)
    this.keySettings = new KeySettings(keep, this.keys)
    this.health = new ServiceHealth(live)
    this.account = new Account(live)
    this.backup = new Backup(live)
    this.welcome = new Welcome(keep)
    this.groups = new LinkGroups(keep)
  }

  /** The market of each link group. */
  get links(): LinkGroups['markets'] {
    return this.groups.markets
  }

  /** Where the crosshair of each link group stands. */
  get crosshairs(): LinkGroups['crosshairs'] {
    return this.groups.crosshairs
  }

  /** The stretch of time that charts of a link group share. */
  get ranges(): LinkGroups['ranges'] {
    return this.groups.ranges
  }

  /** To be called when another window of this machine kept something under a name. */
  keptElsewhere(name: string | null): void {
    const kept = {
      'augury.settings': this.settings,
      'augury.keys': this.keySettings,
      'augury.aliases': this.aliases,
      'augury.layouts': this.layouts,
      'augury.watchlist': this.watchlist,
    }
    for (const [known, part] of Object.entries(kept)) {
      if (name === known || name === null) part.recall()
    }
  }

  /** Makes a pane known; the dock then shows it. */
  newPane(command: Command, link: LinkLetter): Pane {
    do this.#paneCount += 1
    while (this.panes.has(`pane-${this.#paneCount}`))
    return this.adopt(`pane-${this.#paneCount}`, command, link)
  }

  /** Makes a pane known under the id that a kept layout gave it. */
  adopt(id: string, command: Command, link: LinkLetter): Pane {
    const pane = new Pane(id, { ...command, sink: null }, link)
    this.panes.set(id, pane)
    return pane
  }

  /** The market a pane is about: its own, or that of its link group. */
  tickerOf(pane: Pane): string | null {
    const { subject } = pane.command
    if (subject?.kind === 'ticker') return subject.ticker
    return subject?.kind === 'focus' ? this.links[pane.link] : null
  }

  /** The market that a command is about: its own, or that of the focused pane's group. */
  marketOf({ subject }: Command): string | null {
    if (subject?.kind === 'ticker') return subject.ticker
    return subject?.kind === 'focus' ? this.links[this.#letter()] : null
  }

  /** Sets the market of a link group. */
  focusMarket(letter: LinkLetter, ticker: string): void {
    this.onfocus?.(letter, ticker)
    this.takeFocus(letter, ticker)
  }

  /** Takes the market of a link group, as another window told it. */
  takeFocus(letter: LinkLetter, ticker: string): void {
    this.groups.take(letter, ticker)
  }

  /** Runs a line; gives the problem when it cannot be read. Nothing runs then. */
  run(line: string, options: { readonly inNewPane?: boolean } = {}): ParseProblem | null {
    const commands = parseLine(line, this.aliases.words)
    if ('message' in commands) return commands
    this.notice = null
    if (this.past.at(-1) !== line.trim()) this.past.push(line.trim())
    for (const command of commands) this.execute(command, options.inNewPane === true)
    return null
  }

  /** Runs the line of a link: it opens panes, and does nothing else. Gives what stood against it. */
  runLink(line: string): string | null {
    const commands = openingsOf(line)
    if (typeof commands === 'string') return commands
    for (const command of commands) this.execute(command)
    return null
  }

  /** The panes are still to come: commands and the choice of a workspace wait for them. @returns to be called when they stand */
  awaitPanes(): () => void {
    this.#early = []
    return () => {
      const early = this.#early ?? []
      this.#early = null
      for (const act of early) act()
    }
  }

  execute(command: Command, inNewPane = false): void {
    if (this.#early !== null) {
      this.#early.push(() => this.execute(command, inNewPane))
      return
    }
    if (!actOn(this, command)) this.#read(command, inNewPane)
  }

  /** What was asked in this workspace, newest last. */
  get blocks(): Blocks {
    return this.#blocks[this.workspace - 1] ?? new Blocks()
  }

  /** A block of a command, which stays with the market that it was asked of. */
  #record(command: Command, letter: LinkLetter): Block {
    const ticker = command.subject?.kind === 'focus' ? this.links[letter] : null
    const subject = ticker === null ? command.subject : ({ kind: 'ticker', ticker } as const)
    const asked = { ...command, subject, sink: null }
    return this.blocks.add(asked, (id) => new Pane(id, asked, letter), this.live.clock)
  }

  /** Opens a workspace by number or name, or a saved layout. */
  goTo(word: string): void {
    if (this.#early === null) goTo(this, word)
    else this.#early.push(() => this.goTo(word))
  }

  #read(command: Command, inNewPane: boolean): void {
    const { sink } = command
    const letter = sink?.kind === 'link' ? sink.letter : this.#letter()
    if (isTextSink(sink)) {
      const ticker =
        command.subject?.kind === 'ticker' ? command.subject.ticker : this.links[letter]
      handOut(this, { command, ticker, form: sink.kind })
      return
    }
    const isResult = specOf(command.verb).effect === 'read' && command.verb !== 'TERM'
    const block = isResult ? this.#record(command, letter) : null
    const focused = this.panes.get(this.focusedPane ?? '')
    if (block !== null && focused?.command.verb === 'TERM' && sink === null && !inNewPane) {
      measure(block, block.pane, null)
      this.dock?.activate(focused.id)
      return
    }
    const before = [...this.panes.values()].map((known) => ({
      ...{ pane: known, line: this.lineOf(known), sources: known.sources },
    }))
    const pane = this.#place(command, letter, inNewPane)
    if (block === null || pane === null) return
    const known = before.find((other) => other.pane === pane)
    const isOther = known !== undefined && known.line !== this.lineOf(pane)
    measure(block, pane, isOther ? known.sources : null)
  }

  /** Shows a command where it belongs; the pane that does, null when there is no such place. */
  #place(command: Command, letter: LinkLetter, inNewPane: boolean): Pane | null {
    const { sink } = command
    if (sink?.kind === 'pane') return this.#showIn(command, sink.number)
    if (inNewPane || sink?.kind === 'new' || sink?.kind === 'float') {
      return this.open(command, sink?.kind === 'float' ? 'float' : 'tab')
    }
    if (specOf(command.verb).needsMarket && command.subject?.kind === 'ticker') {
      this.focusMarket(letter, command.subject.ticker)
      return this.openVerb(command.verb, letter, { ...command, subject: { kind: 'focus' } })
    }
    return this.openVerb(command.verb, letter, command)
  }

  /** Opens a pane of its own for a command. */
  open(command: Command, placement: Placement = 'tab', letter = this.#letter()): Pane {
    const pane = this.newPane(command, letter)
    this.dock?.add(pane, placement)
    this.dock?.activate(pane.id)
    return pane
  }

  /** Shows a verb's pane: the open one (of the link group, where a market is shown), else a new tab. */
  openVerb(verb: Verb, letter: LinkLetter, command: Command): Pane {
    const ofMarket = specOf(verb).needsMarket
    const open = [...this.panes.values()].find(
      (pane) =>
        pane.command.verb === verb &&
        pane.command.subject?.kind !== 'ticker' &&
        (verb !== 'BT' || backtestView(pane.command) === backtestView(command)) &&
        (!ofMarket || pane.link === letter),
    )
    if (open === undefined) return this.open(command, 'tab', letter)
    const args = { ...open.command.args, ...command.args }
    open.command = ofMarket ? { ...open.command, args } : { ...command, sink: null }
    this.dock?.describe(open)
    this.dock?.activate(open.id)
    return open
  }

  /** Opens the board and hands it what is to be done with a panel. */
  askBoard(command: Command): void {
    const { id } = this.openVerb('MW', this.#letter(), {
      ...{ verb: 'MW', subject: null, args: {}, filters: [], venue: null, flags: [] },
      sink: null,
    })
    this.boardAsked = { pane: id, command }
  }

  /** Hands out what a pane shows. */
  sendOut(pane: Pane, form: TextForm): void {
    handOut(this, { command: pane.command, ticker: this.tickerOf(pane), form, from: pane })
  }

  /** Has the pane of a number show a command. */
  #showIn(command: Command, number: number): Pane | null {
    const order = this.dock?.order() ?? []
    const pane = this.panes.get(order[number - 1] ?? '')
    if (pane === undefined) {
      this.say(`There is no pane ${number}: this workspace has ${order.length}`, 'error')
      return null
    }
    this.retell(pane, command)
    this.dock?.activate(pane.id)
    return pane
  }

  /** Opens a market from a row: the pane's link group takes it, and the verb's pane comes forward. */
  openMarket(pane: Pane, ticker: string, verb: Verb | null): void {
    this.focusMarket(pane.link, ticker)
    const follows = [...this.panes.values()].some(
      (other) => other.link === pane.link && other.command.subject?.kind === 'focus',
    )
    const wanted = verb ?? (follows ? null : 'DES')
    if (wanted === null) return
    this.openVerb(wanted, pane.link, {
      verb: wanted,
      subject: { kind: 'focus' },
      args: {},
      filters: [],
      venue: null,
      flags: [],
      sink: null,
    })
  }

  /** Changes what a pane shows, as if its command had been typed that way. */
  amend(pane: Pane, args: Readonly<Record<string, string>>): void {
    pane.command = { ...pane.command, args: { ...pane.command.args, ...args } }
    this.dock?.describe(pane)
  }

  /** Has a pane show another command of its verb. */
  retell(pane: Pane, command: Command): void {
    pane.command = { ...command, sink: null }
    this.dock?.describe(pane)
  }

  /** Moves a pane into a window of its own. */
  popOut(pane: Pane): void {
    void import('./window-family.svelte.ts').then(({ popOut }) => popOut(this, pane))
  }

  relink(pane: Pane): void {
    const next = (LINK_LETTERS.indexOf(pane.link) + 1) % LINK_LETTERS.length
    pane.link = LINK_LETTERS[next] ?? 'A'
    this.dock?.describe(pane)
  }

  refresh(pane: Pane): void {
    for (const source of pane.sources) this.live.refresh(source)
  }

  /** The command that makes a pane as it is now, with the market it shows. */
  lineOf(pane: Pane): string {
    const ticker = this.tickerOf(pane)
    const subject = ticker === null ? pane.command.subject : ({ kind: 'ticker', ticker } as const)
    return commandText({ ...pane.command, subject })
  }

  ask(text: string): void {
    this.prompt = { text, count: (this.prompt?.count ?? 0) + 1 }
  }

  say(text: string, tone: Notice['tone'] = 'info'): void {
    this.notice = { text, tone }
  }

  #letter(): LinkLetter {
    return this.panes.get(this.focusedPane ?? '')?.link ?? 'A'
  }
}
