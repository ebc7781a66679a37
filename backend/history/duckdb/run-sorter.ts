import { Worker } from 'node:worker_threads'
import type { Feed } from '../../domain/backtest/event-columns.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { rowBytes } from '../run-frames.ts'
import { BATCH_ROWS, type FromSorter, type ToSorter } from './run-messages.ts'

const WORKER = new URL('../../jobs/workers/run-worker.ts', import.meta.url)
/** Batches that are filled, on their way or being dealt at once: what bounds the memory of a reading. */
const MOST_BATCHES = 4

type Begin = Omit<Extract<ToSorter, { type: 'begin' }>, 'type'>

/** The thread that puts rows of runs in order, one reading at a time: started with the first, and again after it died. */
export class RunSorter {
  #worker: Worker | null = null
  #sorting: Sorting | null = null
  #isClosed = false

  /** Starts the thread where it is not there, so that it is when it is needed. */
  start(): Worker {
    if (this.#worker !== null) return this.#worker
    if (this.#isClosed) throw new StoreFailed('The history is closed')
    const worker = new Worker(WORKER)
    worker.unref()
    worker.on('message', (message: FromSorter) => this.#sorting?.heard(message))
    const died = (error: Error): void => {
      if (this.#worker === worker) this.#worker = null
      this.#sorting?.gone(error)
    }
    worker.on('error', (error) => died(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => died(new StoreFailed('The thread that orders the events has ended')))
    return (this.#worker = worker)
  }

  /** Lends the thread to `task`. */
  async sort<Result>(given: Begin, task: (sorting: Sorting) => Promise<Result>): Promise<Result> {
    const worker = this.start()
    // Somebody waits for it.
    worker.ref()
    const sorting = new Sorting((message) => worker.postMessage(message), given)
    this.#sorting = sorting
    try {
      return await task(sorting)
    } finally {
      await sorting.end()
      this.#sorting = null
      worker.unref()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }
}

/** Rows of one reading on their way through the thread. */
export class Sorting {
  readonly #say: (message: ToSorter) => void
  #free: SharedArrayBuffer[] = []
  #made = 0
  #failure: Error | null = null
  #isGone = false
  #answers: FromSorter[] = []
  #written: (place: number) => void = () => {}
  #changed = Promise.withResolvers<void>()

  constructor(say: (message: ToSorter) => void, given: Begin) {
    this.#say = say
    say({ type: 'begin', ...given })
  }

  /** Memory for a batch of a feed, in time. */
  async batch(feed: Feed): Promise<SharedArrayBuffer> {
    const bytes = BATCH_ROWS * rowBytes(feed)
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const free = this.#free.pop()
      if (free !== undefined && free.byteLength >= bytes) return free
      // Too small: one of its size takes its place.
      if (free !== undefined) this.#made--
      if (this.#made < MOST_BATCHES) {
        this.#made++
        return new SharedArrayBuffer(bytes)
      }
      if (free === undefined) await this.#changed.promise
    }
  }

  send(feed: Feed, batch: SharedArrayBuffer, count: number): void {
    this.#say({ type: 'rows', feed, batch, count })
  }

  /** How long the window of each stretch is, of all rows that were sent. */
  async lengths(): Promise<Float64Array> {
    this.#say({ type: 'dealt' })
    return (await this.#answer('lengths')).bytes
  }

  /** Puts all windows into a file. @param at where they belong @param written is told of each that is there */
  async order(fd: number, at: Float64Array, written: (place: number) => void): Promise<void> {
    this.#written = written
    this.#say({ type: 'order', fd, at })
    await this.#answer('ordered')
  }

  /** Resolves when the thread has let go of all of it, or is gone. */
  async end(): Promise<void> {
    if (this.#isGone) return
    this.#say({ type: 'end' })
    // It is told of a failure once, and answers all the same.
    this.#failure = null
    await this.#answer('ended').catch(() => {})
  }

  heard(message: FromSorter): void {
    if (message.type === 'taken') this.#free.push(message.batch)
    else if (message.type === 'written') this.#written(message.place)
    else if (message.type === 'failed') this.failed(failureOf(message))
    else this.#answers.push(message)
    this.#wake()
  }

  failed(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  /** The thread is no more. */
  gone(error: Error): void {
    this.#isGone = true
    this.failed(error)
  }

  async #answer<Type extends FromSorter['type']>(
    type: Type,
  ): Promise<Extract<FromSorter, { type: Type }>> {
    // prettier-ignore
    for (;;) {
      const found = this.#answers.find((answer) => answer.type === type)
      if (found !== undefined) return found as Extract<FromSorter, { type: Type }>
      if (this.#failure !== null) throw this.#failure
      await this.#changed.promise
    }
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

const failureOf = ({ message, isFull }: Extract<FromSorter, { type: 'failed' }>): StoreFailed =>
  new StoreFailed(
    isFull
      ? 'The disk of the service is full: there is no room for the events of this run'
      : `The events of a run could not be put in order: ${message}`,
  )
