/**
 * A process of its own that runs statements of users, one at a time. It has no access to the data
 * folder: the rows that a statement reads reach it as files in the folder of that statement.
 */
import { writeFileSync } from 'node:fs'
import type {
  FromStatement,
  StatementTask,
  StatementReady,
  ToStatement,
  ViewFile,
} from './messages.ts'
import { runStatement } from './run-statement.ts'

const CHECK_EVERY_MS = 20
const MB = 1024 * 1024

let rowsArrived: (files: readonly ViewFile[]) => void = () => {}

/** Ends this process at once; `process.exit` would wait for the threads of the engine. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')
process.once('disconnect', end)
raiseKillPriority()

const send = (message: FromStatement | StatementReady, onSent: () => void = () => {}): void =>
  void process.send?.(message, onSent)

process.on('message', (message: ToStatement) => {
  if (message.type === 'rows') rowsArrived(message.files)
  else void run(message)
})
send({ type: 'ready' })

async function run(task: StatementTask): Promise<void> {
  const watch = watchMemory(task.limits.residentMb)
  const answer = await runStatement(task, (scans) => {
    const arrival = new Promise<readonly ViewFile[]>((resolve) => (rowsArrived = resolve))
    send({ type: 'scans', scans })
    return arrival
  }).catch((error: unknown): FromStatement => ({ type: 'failed', message: String(error) }))
  clearInterval(watch)
  send(answer)
}

/** Ends this process when it uses too much memory; its engine has threads of its own meanwhile. */
function watchMemory(residentMb: number): NodeJS.Timeout {
  return setInterval(() => {
    if (process.memoryUsage.rss() > residentMb * MB) send({ type: 'too-large' }, end)
  }, CHECK_EVERY_MS)
}

/**
 * When the machine runs out of memory, the system should end this process first, if it supports
 * that.
 */
function raiseKillPriority(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not on Linux.
  }
}
