import type { Source } from '../api/source.svelte.ts'
import type { PageClock } from '../lib/clock.svelte.ts'
import { commandText, type Command } from './command.ts'
import { specOf } from './commands.ts'
import { markdownOf, rowsOf } from './export-answer.ts'
import type { Pane } from './pane.svelte.ts'

/** Blocks that a workspace keeps, and how many of them stay live; older ones keep their text. */
export const MOST_BLOCKS = 200
export const MOST_LIVE = 50
const MOST_ROWS = 40

/** One answer in the order in which it was asked for. */
export class Block {
  readonly id: string
  readonly line: string
  /** What drew it: the title of the verb's pane. */
  readonly component: string
  /** When the command ran, in the service's time. */
  readonly ranAt: number
  /** What it shows, until it is only text. */
  readonly pane: Pane
  isCollapsed = $state(false)
  /** What was answered, once it was; of a pane in the dock or of the block itself. */
  sources = $state.raw<readonly Source[]>([])
  /** It was answered before it was asked: another pane shows it. */
  wasKnown = false
  /** From the command to its last answer in milliseconds. */
  latency = $state.raw<number | null>(null)
  /** What is left when it is not live any more. */
  text = $state.raw<string | null>(null)
  /** Time of the data of a text, in milliseconds. */
  #textAt: number | null = null

  constructor(id: string, command: Command, pane: Pane, ranAt: number) {
    this.id = id
    this.pane = pane
    this.line = commandText({ ...command, sink: null })
    this.component = specOf(command.verb).title
    this.ranAt = ranAt
  }

  /** Takes what a pane was answered, once all of it is. */
  answered(sources: readonly Source[]): void {
    if (this.latency !== null || sources.length === 0) return
    if (sources.some(({ body }) => body === null)) return
    const last = Math.max(...sources.map(({ answeredAt }) => answeredAt ?? this.ranAt))
    this.sources = sources
    this.wasKnown = last < this.ranAt
    this.latency = Math.max(0, last - this.ranAt)
  }

  /** The data's own time; null before an answer. */
  get dataAt(): number | null {
    if (this.text !== null) return this.#textAt
    const times = this.sources.flatMap(({ dataAt }) => (dataAt === null ? [] : [dataAt]))
    return times.length === 0 ? null : Math.min(...times)
  }

  /** What it holds, as a table of words. */
  words(): string {
    if (this.text !== null) return this.text
    const [first] = this.sources
    const rows = this.pane.rowsShown?.() ?? (first?.body ? rowsOf(first.body) : null)
    if (rows === null) return 'No answer came.'
    const more = rows.length > MOST_ROWS ? `\n${rows.length - MOST_ROWS} more rows\n` : ''
    return `${markdownOf(rows.slice(0, MOST_ROWS))}${more}`
  }

  /** Keeps the words and lets go of everything else. */
  freeze(): void {
    if (this.text !== null) return
    this.#textAt = this.dataAt
    this.text = this.words()
    this.sources = []
    this.pane.visible = false
  }
}

/** The answers of one workspace, newest last. */
export class Blocks {
  all = $state.raw<readonly Block[]>([])
  #count = 0

  /** A new block; the oldest go, and those beyond the newest fifty become text. */
  add(command: Command, paneOf: (id: string) => Pane, clock: PageClock): Block {
    this.#count += 1
    const id = `block-${this.#count}`
    const block = new Block(id, command, paneOf(id), clock.read())
    this.all = [...this.all, block].slice(-MOST_BLOCKS)
    for (const old of this.all.slice(0, -MOST_LIVE)) old.freeze()
    return block
  }

  /** Forgets all; returns how many there were. */
  clear(): number {
    const count = this.all.length
    for (const block of this.all) block.pane.visible = false
    this.all = []
    return count
  }
}

/**
 * Notes when a pane was answered, for its block: once everything is there that the command asked.
 * @param before what the pane showed before the command, when it showed another
 */
export function measure(block: Block, pane: Pane, before: readonly Source[] | null): void {
  const line = commandText(pane.command)
  const stop = $effect.root(() => {
    $effect(() => {
      const { sources } = pane
      if (sources !== before) block.answered(sources)
      // Given up at the latest when the pane shows something else.
      if (block.latency !== null || commandText(pane.command) !== line) queueMicrotask(stop)
    })
  })
}
