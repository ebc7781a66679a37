import type { PageClock } from '../../lib/clock.svelte.ts'
import { measure, type Block, type Blocks } from '../bar/blocks.svelte.ts'
import type { Dock, Placement } from '../dock/dock.ts'
import { Pane } from '../dock/pane.svelte.ts'
import { exportToFile, type Host } from '../export/export-to-file.ts'
import type { Command, LinkLetter } from './command.ts'
import { specOf, type Verb } from './commands.ts'
import { isTextSink } from './parse-sink.ts'

/** The parts of the terminal in which a command is shown. */
export interface CommandHost extends Host {
  readonly live: Host['live'] & { readonly clock: PageClock }
  readonly dock: Dock | null
  readonly blocks: Blocks
  readonly links: Readonly<Record<LinkLetter, string | null>>
  /** The pane with the focus, and its link group. */
  readonly focused: Pane | null
  readonly letter: LinkLetter
  open(command: Command, placement?: Placement): Pane
  openVerb(verb: Verb, letter: LinkLetter, command: Command): Pane
  focusMarket(letter: LinkLetter, ticker: string): void
  replaceCommand(pane: Pane, command: Command): void
}

/**
 * Shows a command that opens a pane in its target, or exports its answer, and keeps its answer as a
 * block. Returns the pane in which it is shown, null when there is none.
 */
export function showCommand(host: CommandHost, command: Command, inNewPane: boolean): Pane | null {
  const { sink } = command
  const letter = sink?.kind === 'link' ? sink.letter : host.letter
  if (isTextSink(sink)) {
    const { subject } = command
    const focused = subject?.kind === 'focus' ? host.links[letter] : null
    const ticker = subject?.kind === 'ticker' ? subject.ticker : focused
    exportToFile(host, { command, ticker, link: letter, form: sink.kind })
    return null
  }
  const isResult = specOf(command.verb).effect === 'read' && command.verb !== 'TERM'
  const block = isResult ? record(host, command, letter) : null
  const { focused } = host
  if (block !== null && focused?.command.verb === 'TERM' && sink === null && !inNewPane) {
    measure(block, block.pane, null)
    host.dock?.activate(focused.id)
    return null
  }
  const previous = [...host.panes.values()].map((pane) => ({
    pane,
    line: host.lineOf(pane),
    sources: pane.sources,
  }))
  const pane = place(host, command, letter, inNewPane)
  if (block === null || pane === null) return pane
  const reusable = previous.find((other) => other.pane === pane)
  const isOther = reusable !== undefined && reusable.line !== host.lineOf(pane)
  measure(block, pane, isOther ? reusable.sources : null)
  return pane
}

/** A block of a command, bound to the market at the time of the command. */
function record(host: CommandHost, command: Command, letter: LinkLetter): Block {
  const ticker = command.subject?.kind === 'focus' ? host.links[letter] : null
  const subject = ticker === null ? command.subject : ({ kind: 'ticker', ticker } as const)
  const requested = { ...command, subject, sink: null }
  return host.blocks.add(requested, (id) => new Pane(id, requested, letter), host.live.clock)
}

/** Shows a command in its target pane; returns the pane, null when the target does not exist. */
function place(
  host: CommandHost,
  command: Command,
  letter: LinkLetter,
  inNewPane: boolean,
): Pane | null {
  const { sink } = command
  if (sink?.kind === 'pane') return showIn(host, command, sink.number)
  if (inNewPane || sink?.kind === 'new' || sink?.kind === 'float') {
    return host.open(command, sink?.kind === 'float' ? 'float' : 'tab')
  }
  if (specOf(command.verb).needsMarket && command.subject?.kind === 'ticker') {
    host.focusMarket(letter, command.subject.ticker)
    return host.openVerb(command.verb, letter, { ...command, subject: { kind: 'focus' } })
  }
  return host.openVerb(command.verb, letter, command)
}

/** Shows a command in the pane with a number. */
function showIn(host: CommandHost, command: Command, number: number): Pane | null {
  const order = host.dock?.order() ?? []
  const pane = host.panes.get(order[number - 1] ?? '')
  if (pane === undefined) {
    host.showNotice(
      `There is no pane ${number}: this workspace has ${order.length} ${order.length === 1 ? 'pane' : 'panes'}`,
      'error',
    )
    return null
  }
  if (pane.command.verb !== command.verb) pane.resetContent()
  host.replaceCommand(pane, command)
  host.dock?.activate(pane.id)
  return pane
}
