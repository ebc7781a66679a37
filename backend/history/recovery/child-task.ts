import { fork } from 'node:child_process'

/** How a task in a process of its own ended: with an answer, or how the process died and what it last said. */
export interface TaskEnd<A> {
  readonly answer: A | null
  /** How it ended and what it last said; told when there is no answer. */
  readonly died: string
}

/** A process that reads its script and waits for the one order it is started for. */
export interface WaitingTask<A> {
  /** Sends the order and waits for the answer; kills a process that takes longer than `longest` ms. */
  run(order: object, longest: number): Promise<TaskEnd<A>>
  /** Ends a process that is not needed. */
  dismiss(): void
}

/**
 * Starts a script of ours in a process of its own, so that an engine that aborts takes that process
 * with it and not ours.
 */
export function startTask<A>(script: string): WaitingTask<A> {
  const child = fork(script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
  let answer: A | null = null
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-500)
  })
  child.once('message', (message) => {
    answer = message as A
  })
  const ended = new Promise<TaskEnd<A>>((resolve) => {
    const end = (how: string): void => resolve({ answer, died: `${how} ${said}`.trim() })
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(`ended with ${signal ?? code ?? 'nothing'}`))
  })
  return {
    async run(order, longest) {
      const tooLong = setTimeout(() => child.kill('SIGKILL'), longest)
      child.send(order, (error) => {
        if (error !== null) child.kill('SIGKILL')
      })
      return ended.finally(() => clearTimeout(tooLong))
    },
    dismiss: () => void child.kill('SIGKILL'),
  }
}

/** Starts a script, sends it one order and waits for its one answer. */
export const runTask = <A>(script: string, order: object, longest: number): Promise<TaskEnd<A>> =>
  startTask<A>(script).run(order, longest)

/** The other side: carries out the one order this process was started for, answers and ends. */
export function serveTask(work: (order: unknown) => Promise<object>): void {
  process.once('message', (order) => {
    void work(order).then(
      (answer) => process.send?.(answer, () => process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exitCode = 1
        process.disconnect()
      },
    )
  })
}
