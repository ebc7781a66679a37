import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CliEnvironment } from '../cli/command.ts'
import { runCli } from '../cli/run.ts'
import { FakeClock } from './fake-clock.ts'

/** No terminal is attached: stdin is empty and stdout is a pipe. */
export const UNATTENDED = {
  isInteractive: false,
  input: () => Promise.resolve(''),
  columns: null,
  ask: () => Promise.reject(new Error('nobody is there to answer')),
} satisfies Partial<CliEnvironment>

/** Result of a command line. */
export interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}

export interface CommandLine {
  /** A home folder of its own, which is also the working folder; `AUGURY_DATA` is its `data`. */
  readonly home: string
  readonly run: (args: readonly string[], more?: Partial<CliEnvironment>) => Promise<Ran>
  remove(): void
}

/** The command line in this process, in a home of its own; sleeping takes no time. */
export function commandLine(): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'augury-command-line-'))
  return {
    home,
    async run(args, more = {}) {
      let [out, err] = ['', '']
      const clock = new FakeClock()
      const ended = new AbortController()
      const { env, ...others } = more
      const running = runCli(args, {
        env: { HOME: home, AUGURY_DATA: join(home, 'data'), ...env },
        cwd: home,
        home,
        platform: 'linux',
        clock,
        signal: new AbortController().signal,
        ...UNATTENDED,
        print: (text) => (out += text),
        report: (text) => (err += text),
        ...others,
      }).finally(() => ended.abort())
      while (!ended.signal.aborted) await clock.advance(500)
      return { exit: await running, out, err }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
