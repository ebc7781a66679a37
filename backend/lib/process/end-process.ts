import { writeSync } from 'node:fs'

/**
 * Ends this process at once by SIGKILL, after a last line on stderr and its `exit` listeners.
 * `process.exit` would not do: it waits for threads on which the engine still works, which may
 * take hours. For the same reason the line is written here and not by the log, which writes in the
 * background.
 */
export function endProcess(reason: string): void {
  try {
    writeSync(2, `augury: ${reason}\n`)
  } catch {
    // stderr is closed.
  }
  process.emit('exit', 1)
  process.kill(process.pid, 'SIGKILL')
}
