import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import type { Millis } from '../../domain/units.ts'

/**
 * Windows of events as bytes on a pipe: eight bytes that tell the length of a JSON head and of the
 * columns, the head (padded to eight), then every column at an address that its numbers allow, so that
 * the other side reads them where they lie.
 */
type Column = Float64Array | Int32Array | Uint8Array
const TYPES = { f: Float64Array, i: Int32Array, b: Uint8Array } as const
type Type = keyof typeof TYPES

/** One column of a frame: feed, name, type and count. */
type Part = readonly [feed: string, name: string, type: Type, count: number]
interface Head {
  /** Of which of the runs that a check takes. */
  readonly run: number
  readonly until: number
  readonly isLast: boolean
  readonly parts: readonly Part[]
}

const FEED_NAMES = ['trades', 'quotes', 'books', 'bars'] as const
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8
const PREFIX = 8

const typeOf = (column: Column): Type =>
  column instanceof Float64Array ? 'f' : column instanceof Int32Array ? 'i' : 'b'

/** A window, or the end of a run where it is null, as pieces to be written one after another. */
export function encodeFrame(window: EventWindow | null, run: number): Buffer[] {
  const parts: Part[] = []
  const bodies: Buffer[] = []
  let length = 0
  for (const feed of window === null ? [] : FEED_NAMES) {
    for (const [name, column] of Object.entries(window?.[feed] ?? {}) as [string, Column][]) {
      parts.push([feed, name, typeOf(column), column.length])
      const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength)
      const gap = padded(bytes.length) - bytes.length
      bodies.push(bytes, Buffer.alloc(gap))
      length += bytes.length + gap
    }
  }
  const head: Head = { run, until: window?.until ?? 0, isLast: window === null, parts }
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32LE(text.length, 0)
  prefix.writeUInt32LE(length, 4)
  return [prefix, text, Buffer.alloc(padded(text.length) - text.length), ...bodies]
}

export interface Frame {
  readonly run: number
  /** Null at the end of a run. */
  readonly window: EventWindow | null
}

/**
 * Puts frames together from bytes as they come, each in the memory of the one before: a new one for every
 * frame would keep the collector busy for longer than the run takes.
 */
export class FrameReader {
  readonly #take: (frame: Frame) => void
  readonly #prefix = Buffer.alloc(PREFIX)
  #memory = new ArrayBuffer(0)
  #have = 0
  /** The frame that is being put together; null while its lengths are not known. */
  #frame: Buffer | null = null

  /** @param take is handed frames whose columns are overwritten when it comes back */
  constructor(take: (frame: Frame) => void) {
    this.#take = take
  }

  /** Takes the next bytes; they are the caller's again when it comes back. */
  read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#frame === null) {
        at += this.#fill(this.#prefix, bytes, at)
        if (this.#have < PREFIX) return
        const lengths = [this.#prefix.readUInt32LE(0), this.#prefix.readUInt32LE(4)] as const
        this.#frame = this.#memoryFor(padded(lengths[0]) + lengths[1])
        this.#have = 0
      }
      at += this.#fill(this.#frame, bytes, at)
      if (this.#have < this.#frame.length) return
      const frame = this.#frame
      this.#frame = null
      this.#have = 0
      this.#take(decode(frame, this.#prefix.readUInt32LE(0)))
    }
  }

  #memoryFor(length: number): Buffer {
    if (this.#memory.byteLength < length) this.#memory = new ArrayBuffer(Math.ceil(length * 1.25))
    return Buffer.from(this.#memory, 0, length)
  }

  #fill(target: Buffer, bytes: Uint8Array, at: number): number {
    const count = Math.min(target.length - this.#have, bytes.length - at)
    target.set(bytes.subarray(at, at + count), this.#have)
    this.#have += count
    return count
  }
}

function decode(frame: Buffer, headLength: number): Frame {
  const head = JSON.parse(frame.toString('utf8', 0, headLength)) as Head
  if (head.isLast) return { run: head.run, window: null }
  const feeds: Record<string, Record<string, Column>> = {}
  let at = frame.byteOffset + padded(headLength)
  for (const [feed, name, type, count] of head.parts) {
    const column = new TYPES[type](frame.buffer as ArrayBuffer, at, count)
    ;(feeds[feed] ??= {})[name] = column
    at += padded(column.byteLength)
  }
  const of = (feed: string): never => (feeds[feed] ?? null) as never
  return {
    run: head.run,
    window: {
      until: head.until as Millis,
      ...{ trades: of('trades'), quotes: of('quotes'), books: of('books'), bars: of('bars') },
    },
  }
}
