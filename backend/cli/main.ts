import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { systemClock } from '../lib/clock.ts'
import { EXIT } from './failure.ts'
import { runCli } from './run.ts'

const stop = new AbortController()
process.on('SIGINT', () => stop.abort())
process.on('SIGTERM', () => stop.abort())
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed its end of the pipe (`augury markets | head`) and needs no more output.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`augury: the output cannot be written: ${error.message}\n`)
  process.exit(EXIT.failed)
})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  platform: process.platform,
  clock: systemClock,
  signal: stop.signal,
  isInteractive: process.stdin.isTTY,
  columns: process.stdout.isTTY ? process.stdout.columns : null,
  ask,
  input: () => text(process.stdin),
  print: (text) => void process.stdout.write(text),
  report: (text) => void process.stderr.write(text),
})

/**
 * Reads a line from the keyboard; empty at the end of input. The terminal itself echoes and edits.
 */
function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false, signal: stop.signal })
  process.stderr.write(question)
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => resolve(''))
  })
}
