import { Worker } from 'node:worker_threads'
import type { Feed } from '../../../domain/backtest/event-columns.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import { batchBytes } from './columns.ts'
import type { FromSortThread, SortRequest, ToSortThread } from './sort-messages.ts'

const WORKER = new URL('../../../jobs/workers/event-sort-worker.ts', import.meta.url)
/** Batches that are filled, sent or consumed at once; they bound the memory of a sort. */
const MAX_BATCHES = 4

/**
 * The thread that sorts events of runs, one sort at a time. It is started on demand, and again
 * after it died.
 */
export class SortThread {
  #worker: Worker | null = null
  #sort: Sort | null = null
  #isClosed = false

  /** Starts the thread unless it is running, so that it is ready when rows arrive. */
  start(): Worker {
    if (this.#worker !== null) return this.#worker
    if (this.#isClosed) throw new StoreFailed('The history is closed')
    const worker = new Worker(WORKER)
    worker.unref()
    worker.on('message', (message: FromSortThread) => this.#sort?.receive(message))
    const onExit = (error: Error): void => {
      if (this.#worker === worker) this.#worker = null
      this.#sort?.onExit(error)
    }
    worker.on('error', (error) => onExit(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => onExit(new StoreFailed('The thread that sorts events has ended')))
    return (this.#worker = worker)
  }

  /** Runs `task` with the thread. */
  async sort<Result>(request: SortRequest, task: (sort: Sort) => Promise<Result>): Promise<Result> {
    const worker = this.start()
    // The process stays alive for a sort, but not for an idle thread.
    worker.ref()
    const sort = new Sort((message) => worker.postMessage(message), request)
    this.#sort = sort
    try {
      return await task(sort)
    } finally {
      await sort.end()
      this.#sort = null
      worker.unref()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }
}

/** One sort on the thread. */
export class Sort {
  readonly #post: (message: ToSortThread) => void
  #free: SharedArrayBuffer[] = []
  #allocatedBytes = 0
  #failure: Error | null = null
  #hasExited = false
  #replies: FromSortThread[] = []
  #onWritten: (span: number) => void = () => {}
  #changeSignal = Promise.withResolvers<void>()

  constructor(post: (message: ToSortThread) => void, request: SortRequest) {
    this.#post = post
    post({ type: 'begin', request })
  }

  /** Memory for a batch of a feed; waits until one is free. */
  async batch(feed: Feed): Promise<SharedArrayBuffer> {
    const bytes = batchBytes(feed)
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const free = this.#free.pop()
      if (free !== undefined && free.byteLength >= bytes) return free
      // A batch that is too small is replaced.
      if (free !== undefined) this.#allocatedBytes--
      if (this.#allocatedBytes < MAX_BATCHES) {
        this.#allocatedBytes++
        return new SharedArrayBuffer(bytes)
      }
      if (free === undefined) await this.#changeSignal.promise
    }
  }

  send(feed: Feed, batch: SharedArrayBuffer, count: number): void {
    this.#post({ type: 'rows', feed, batch, count })
  }

  /** Bytes of the frame of each span, of all rows that were sent. */
  async lengths(): Promise<Float64Array> {
    this.#post({ type: 'measure' })
    return (await this.#reply('lengths')).bytes
  }

  /** Writes all frames at their positions. @param onWritten called for each, in order */
  async write(fd: number, at: Float64Array, onWritten: (span: number) => void): Promise<void> {
    this.#onWritten = onWritten
    this.#post({ type: 'write', fd, at })
    await this.#reply('sorted')
  }

  /** Resolves when the thread has freed everything or has ended. */
  async end(): Promise<void> {
    if (this.#hasExited) return
    this.#post({ type: 'end' })
    // A failure was reported before; the thread replies nevertheless.
    this.#failure = null
    await this.#reply('ended').catch(() => {})
  }

  receive(message: FromSortThread): void {
    if (message.type === 'consumed') this.#free.push(message.batch)
    else if (message.type === 'written') this.#onWritten(message.span)
    else if (message.type === 'failed') this.#fail(failureOf(message))
    else this.#replies.push(message)
    this.#notify()
  }

  onExit(error: Error): void {
    this.#hasExited = true
    this.#fail(error)
    this.#notify()
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  async #reply<Type extends FromSortThread['type']>(
    type: Type,
  ): Promise<Extract<FromSortThread, { type: Type }>> {
    for (;;) {
      const pendingReply = this.#replies.find((reply) => reply.type === type)
      if (pendingReply !== undefined) return pendingReply as Extract<FromSortThread, { type: Type }>
      if (this.#failure !== null) throw this.#failure
      await this.#changeSignal.promise
    }
  }

  #notify(): void {
    this.#changeSignal.resolve()
    this.#changeSignal = Promise.withResolvers()
  }
}

function failureOf({
  message,
  isDiskFull,
}: Extract<FromSortThread, { type: 'failed' }>): StoreFailed {
  if (isDiskFull) {
    return new StoreFailed(
      'The disk of the service is full: there is no room for the events of this run',
    )
  }
  return new StoreFailed(`The events of a run could not be sorted: ${message}`)
}
