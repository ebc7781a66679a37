import { fork, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromStatement, StatementReady, ToStatement } from './messages.ts'

const SCRIPT = fileURLToPath(new URL('./statement-process.ts', import.meta.url))
/**
 * Requests to the service have priority. A user waits for a statement as well, so its priority is
 * reduced less than a backtest's.
 */
const NICENESS = 5
/** Limit of the script's own heap, which holds a result as text. */
const HEAP_MB = 256
const PAGE_BYTES = 4_096

/** A process that runs statements, one at a time. */
export class StatementWorker {
  readonly #child: ChildProcess
  readonly #exit: Promise<string>
  readonly #ready = Promise.withResolvers<undefined>()
  #isReady = false
  #receive: (message: FromStatement) => void = () => {}
  #stderr = ''

  constructor() {
    const compileCacheFolder = getCompileCacheDir()
    this.#child = fork(SCRIPT, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      // No environment of the service. Times of the history are UTC.
      env: {
        TZ: 'UTC',
        ...(compileCacheFolder !== undefined && {
          NODE_COMPILE_CACHE: dirname(compileCacheFolder),
        }),
      },
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    })
    lowerPriority(this.#child.pid)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2_000)
    })
    this.#child.on('message', (message: FromStatement | StatementReady) => {
      if (message.type !== 'ready') return this.#receive(message)
      this.#isReady = true
      this.#ready.resolve(undefined)
    })
    this.#exit = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('close', (code, signal) =>
        resolve(`${signal ?? `exit ${code ?? 'unknown'}`} ${this.#stderr}`.trim()),
      )
    })
  }

  /** Resolves when the process has ended, with its exit status and its last output on stderr. */
  get ended(): Promise<string> {
    return this.#exit
  }

  /** Resolves when the process has started; never if it ends before that. */
  get ready(): Promise<undefined> {
    return this.#ready.promise
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.connected
  }

  /** Sets `receive` as the receiver of the process's messages. */
  onMessage(receive: (message: FromStatement) => void): void {
    this.#receive = receive
  }

  send(message: ToStatement): void {
    // `ended` reports how a process with a broken channel ends.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Resident bytes of the process; null when the system does not publish them. */
  async residentBytes(): Promise<number | null> {
    const path = `/proc/${this.#child.pid ?? 0}/statm`
    const pages = await readFile(path, 'utf8').catch(() => null)
    return pages === null ? null : Number(pages.split(' ')[1]) * PAGE_BYTES
  }

  /** Kills the process and resolves when it has ended. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exit
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It has ended already, or the system does not permit it.
  }
}
