import { fork } from 'node:child_process'

/** How a task in a process of its own ended: with an answer, or how the process died and what it last said. */
export interface TaskEnd<A> {
  readonly answer: A | null
  /** How it ended and what it last said; told when there is no answer. */
  readonly died: string
}

/**
 * Sends one order to a script of ours in a process of its own and waits for its one answer, so that an
 * engine that aborts takes that process with it and not ours. A task that takes too long is killed.
 */
export function runTask<A>(script: string, order: object, longest: number): Promise<TaskEnd<A>> {
  return new Promise((resolve) => {
    const child = fork(script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
    let answer: A | null = null
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-500)
    })
    child.once('message', (message) => {
      answer = message as A
    })
    const tooLong = setTimeout(() => child.kill('SIGKILL'), longest)
    const end = (how: string): void => {
      clearTimeout(tooLong)
      resolve({ answer, died: `${how} ${said}`.trim() })
    }
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(`ended with ${signal ?? code ?? 'nothing'}`))
    child.send(order, (error) => {
      if (error !== null) child.kill('SIGKILL')
    })
  })
}

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
