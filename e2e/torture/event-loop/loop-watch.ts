import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Duplex, type Readable, type Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { endWithUs } from '../leftovers.ts'

/** Event loop delays over a period, in milliseconds. */
export interface LoopDelay {
  /** Number of measurements. */
  readonly looks: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

/** The module that a watched process loads first; it reports on descriptor 3. */
export const WATCH_LOOP = fileURLToPath(new URL('./watch-loop.ts', import.meta.url))

/** Event loop delay since the last request, of the process behind descriptor 3. */
export async function delayOf(line: Duplex): Promise<LoopDelay> {
  const lines = createInterface({ input: line })
  const answer = once(lines, 'line')
  line.write('?')
  const [text] = (await answer) as [string]
  lines.close()
  return JSON.parse(text) as LoopDelay
}

/** A watched process that only runs a script. */
export function startWatched(script: string): { readonly line: Duplex; stop(): Promise<void> } {
  const child = spawn(process.execPath, ['--import', WATCH_LOOP, '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: {},
  })
  endWithUs(child)
  const ended = once(child, 'exit')
  return {
    line: lineOf(child.stdio[3]),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Descriptor 3 of a process, on its parent's side. */
export function lineOf(pipe: Readable | Writable | null | undefined): Duplex {
  if (pipe instanceof Duplex) return pipe
  throw new Error('the process has no descriptor 3')
}
