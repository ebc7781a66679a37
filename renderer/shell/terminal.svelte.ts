import { SvelteMap } from 'svelte/reactivity'
import type { Live } from '../api/live.ts'
import { KeyRegistry } from '../lib/keyboard.ts'
import { recall, remember, type Keep } from '../lib/keep.ts'
import { Account } from './account.svelte.ts'
import { Backup } from './backup.svelte.ts'
import {
  commandText,
  LINK_LETTERS,
  type Command,
  type LinkLetter,
  type ParseProblem,
} from './command.ts'
import { specOf, type Density, type ThemeName, type Verb } from './commands.ts'
import type { Dock, Placement } from './dock.ts'
import { exportAnswer } from './export-answer.ts'
import { ServiceHealth } from './health.svelte.ts'
import { Pane } from './pane.svelte.ts'
import { parseLine } from './parse.ts'
import { KeySettings } from './key-settings.svelte.ts'
import { Settings } from './settings.svelte.ts'
import { Welcome } from './welcome.svelte.ts'
import { workspaceOf } from './workspaces.ts'

const LINKS = 'augury.links'
const LINKS_VERSION = 1

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
  readonly panes = new SvelteMap<string, Pane>()
  /** The market of each link group. */
  readonly links = $state<Record<LinkLetter, string | null>>({ A: null, B: null, C: null, D: null })
  workspace = $state(1)
  focusedPane = $state<string | null>(null)
  notice = $state.raw<Notice | null>(null)
  /** Text to put into the command bar, with a count so that the same text acts twice. */
  prompt = $state.raw<{ readonly text: string; readonly count: number } | null>(null)
  /** Lines that ran, newest last. */
  readonly past = $state<string[]>([])
  dock: Dock | null = null
  readonly #keep: Keep
  #paneCount = 0

  constructor(live: Live, keep: Keep) {
    this.live = live
    this.#keep = keep
    this.settings = new Settings(keep)
    this.keySettings = new KeySettings(keep, this.keys)
    this.health = new ServiceHealth(live)
    this.account = new Account(live)
    this.backup = new Backup(live)
    this.welcome = new Welcome(keep)
    const kept = recall(keep, LINKS, LINKS_VERSION, (value) => value)
    for (const letter of LINK_LETTERS) {
      const ticker = kept?.[letter]
      if (typeof ticker === 'string') this.links[letter] = ticker
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

  /** Sets the market of a link group. */
  focusMarket(letter: LinkLetter, ticker: string): void {
    this.links[letter] = ticker
    remember(this.#keep, LINKS, LINKS_VERSION, { ...this.links })
  }

  /** Runs a line; gives the problem when it cannot be read. Nothing runs then. */
  run(line: string, options: { readonly inNewPane?: boolean } = {}): ParseProblem | null {
    const commands = parseLine(line)
    if ('message' in commands) return commands
    this.notice = null
    this.past.push(line.trim())
    for (const command of commands) this.execute(command, options.inNewPane === true)
    return null
  }

  execute(command: Command, inNewPane = false): void {
    switch (command.verb) {
      case 'WS':
        this.goTo(command.args['workspace'] ?? '1')
        break
      case 'TH':
        this.settings.theme = (command.args['theme'] as ThemeName | undefined) ?? this.#otherTheme()
        this.settings.save()
        break
      case 'DENS':
        this.settings.density = (command.args['density'] as Density | undefined) ?? 'normal'
        this.settings.save()
        break
      case 'UNDO':
        if (this.dock?.undo() !== true) this.say('Nothing to undo')
        break
      case 'REDO':
        if (this.dock?.redo() !== true) this.say('Nothing to redo')
        break
      default:
        this.#read(command, inNewPane)
    }
  }

  #otherTheme(): ThemeName {
    return this.settings.theme === 'light' ? 'dark' : 'light'
  }

  /** Opens a workspace by number or name. */
  goTo(word: string): void {
    const workspace = workspaceOf(word)
    if (workspace === null || workspace.plan.length === 0) {
      this.say(`Workspace ${workspace?.name ?? word} has no panes in this version`, 'error')
      return
    }
    this.workspace = workspace.number
  }

  #read(command: Command, inNewPane: boolean): void {
    const { sink } = command
    if (sink?.kind === 'clip' || sink?.kind === 'csv' || sink?.kind === 'json') {
      const ticker = command.subject?.kind === 'ticker' ? command.subject.ticker : this.#focus()
      void exportAnswer(this.live, command, ticker, sink.kind).then(
        (text) => this.say(text),
        (error: unknown) => this.say(error instanceof Error ? error.message : 'Failed', 'error'),
      )
      return
    }
    const letter = sink?.kind === 'link' ? sink.letter : this.#letter()
    if (inNewPane || sink?.kind === 'new' || sink?.kind === 'float') {
      this.#show(this.newPane(command, letter), sink?.kind === 'float' ? 'float' : 'tab')
      return
    }
    if (specOf(command.verb).needsMarket && command.subject?.kind === 'ticker') {
      this.focusMarket(letter, command.subject.ticker)
      this.openVerb(command.verb, letter, { ...command, subject: { kind: 'focus' } })
      return
    }
    this.openVerb(command.verb, letter, command)
  }

  /** Shows a verb's pane: the open one (of the link group, where a market is shown), else a new tab. */
  openVerb(verb: Verb, letter: LinkLetter, command: Command): void {
    const ofMarket = specOf(verb).needsMarket
    const open = [...this.panes.values()].find(
      (pane) =>
        pane.command.verb === verb &&
        pane.command.subject?.kind !== 'ticker' &&
        (!ofMarket || pane.link === letter),
    )
    if (open === undefined) {
      this.#show(this.newPane(command, letter), 'tab')
      return
    }
    const args = { ...open.command.args, ...command.args }
    open.command = ofMarket ? { ...open.command, args } : { ...command, sink: null }
    this.dock?.describe(open)
    this.dock?.activate(open.id)
  }

  #show(pane: Pane, placement: Placement): void {
    this.dock?.add(pane, placement)
    this.dock?.activate(pane.id)
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

  #focus(): string | null {
    return this.links[this.#letter()]
  }
}
