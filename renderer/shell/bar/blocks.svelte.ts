import type { Source } from '../../api/source.svelte.ts'
import type { PageClock } from '../../lib/clock.svelte.ts'
import { commandText, type Command } from '../commands/command.ts'
import { specOf } from '../commands/commands.ts'
import { answerRows, markdownOf } from '../export/export-answer.ts'
import type { Pane } from '../dock/pane.svelte.ts'

/** Blocks that a workspace keeps, and how many of them stay live; older ones become text. */
export const MAX_BLOCKS = 200
export const MAX_LIVE = 50
const MAX_ROWS = 40

/** One answer, in the order of the commands. */
export class Block {
  readonly id: string
  readonly line: string
  /** Title of the verb's pane. */
  readonly component: string
  /** When the command ran, in the service's time. */
  readonly ranAt: number
  /** The live pane, until the block becomes text. */
  readonly pane: Pane
  isCollapsed = $state(false)
  /** The responses, once they arrived; those of a pane in the dock or of the block itself. */
  sources = $state.raw<readonly Source[]>([])
  /** The answer was loaded before the command, because another pane shows it. */
  wasKnown = false
  /** Milliseconds from the command to its last response. */
  latency = $state.raw<number | null>(null)
  /** The text of a block that is no longer live. */
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

  /** Stores a pane's responses once all have arrived. */
  update(sources: readonly Source[]): void {
    if (this.latency !== null || sources.length === 0) return
    if (sources.some(({ body }) => body === null)) return
    const last = Math.max(...sources.map(({ answeredAt }) => answeredAt ?? this.ranAt))
    this.sources = sources
    this.wasKnown = last < this.ranAt
    this.latency = Math.max(0, last - this.ranAt)
  }

  /** The data's own time; null before a response. */
  get dataAt(): number | null {
    if (this.text !== null) return this.#textAt
    const times = this.sources.flatMap(({ dataAt }) => (dataAt === null ? [] : [dataAt]))
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Its content as a table of texts. */
  toText(): string {
    if (this.text !== null) return this.text
    const [first] = this.sources
    const { command, visibleRows } = this.pane
    const rows = visibleRows?.() ?? (first?.body ? answerRows(command, first.body) : null)
    if (rows === null) return 'No response.'
    const moreText = rows.length > MAX_ROWS ? `\n${rows.length - MAX_ROWS} more rows\n` : ''
    return `${markdownOf(rows.slice(0, MAX_ROWS))}${moreText}`
  }

  /** Keeps the text and releases everything else. */
  freeze(): void {
    if (this.text !== null) return
    this.#textAt = this.dataAt
    this.text = this.toText()
    this.sources = []
    this.pane.visible = false
  }
}

/** The answers of one workspace, newest last. */
export class Blocks {
  all = $state.raw<readonly Block[]>([])
  #count = 0

  /** A new block; the oldest are removed, and those beyond the newest fifty become text. */
  add(command: Command, paneOf: (id: string) => Pane, clock: PageClock): Block {
    this.#count += 1
    const id = `block-${this.#count}`
    const block = new Block(id, command, paneOf(id), clock.read())
    this.all = [...this.all, block].slice(-MAX_BLOCKS)
    for (const oldBlock of this.all.slice(0, -MAX_LIVE)) oldBlock.freeze()
    return block
  }

  /** Removes all blocks; returns their number. */
  clear(): number {
    const count = this.all.length
    for (const block of this.all) block.pane.visible = false
    this.all = []
    return count
  }
}

/**
 * Records a pane's responses for its block, once every request of the command has completed.
 * @param before what the pane showed before the command, when it showed something else
 */
export function measure(block: Block, pane: Pane, before: readonly Source[] | null): void {
  const line = commandText(pane.command)
  const stop = $effect.root(() => {
    $effect(() => {
      const { sources } = pane
      if (sources !== before) block.update(sources)
      // Cancelled at the latest when the pane shows something else.
      if (block.latency !== null || commandText(pane.command) !== line) queueMicrotask(stop)
    })
  })
}
