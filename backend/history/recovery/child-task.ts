import { fork } from 'node:child_process'

/** Result of a task in a child process: its answer, or how the process died and its last output. */
export interface TaskEnd<A> {
  readonly answer: A | null
  /** How it ended and its last output; used when there is no answer. */
  readonly failure: string
}

/** A process that has loaded its script and waits for its single order. */
export interface WaitingTask<A> {
  /** Sends the order and waits for the answer; kills a process that takes longer than `timeout` ms. */
  run(task: object, timeout: number): Promise<TaskEnd<A>>
  /** Ends a process that is not needed. */
  dismiss(): void
}

/** Starts a script in a child process, so that an engine that aborts ends that process only. */
export function startTask<A>(script: string): WaitingTask<A> {
  const child = fork(script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] })
  let answer: A | null = null
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-500)
  })
  child.once('message', (message) => {
    answer = message as A
  })
  const taskEnd = new Promise<TaskEnd<A>>((resolve) => {
    const end = (exitText: string): void =>
      resolve({ answer, failure: `${exitText} ${output}`.trim() })
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(`ended with ${signal ?? code ?? 'nothing'}`))
  })
  return {
    async run(task, timeout) {
      const tooLong = setTimeout(() => child.kill('SIGKILL'), timeout)
      child.send(task, (error) => {
        if (error !== null) child.kill('SIGKILL')
      })
      return taskEnd.finally(() => clearTimeout(tooLong))
    },
    dismiss: () => void child.kill('SIGKILL'),
  }
}

/** Starts a script, sends it one order and waits for its answer. */
export const runTask = <A>(script: string, task: object, timeout: number): Promise<TaskEnd<A>> =>
  startTask<A>(script).run(task, timeout)

/** The child's side: executes the order this process was started for, answers and exits. */
export function serveTask(work: (task: unknown) => Promise<object>): void {
  process.once('message', (task) => {
    void work(task).then(
      (answer) => process.send?.(answer, () => process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        process.exitCode = 1
        process.disconnect()
      },
    )
  })
}
