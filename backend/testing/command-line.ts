import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CliEnvironment } from '../cli/command.ts'
import { runCli } from '../cli/run.ts'
import { systemClock } from '../lib/clock.ts'
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

/** A home folder, which is also the working folder; `AUGURY_DATA` is its `data`. It prints nothing. */
export const environmentOf = (
  home: string,
  dataDir: string = join(home, 'data'),
): CliEnvironment => ({
  env: { HOME: home, AUGURY_DATA: dataDir },
  cwd: home,
  home,
  platform: 'linux',
  clock: systemClock,
  signal: new AbortController().signal,
  ...UNATTENDED,
  print: () => {},
  report: () => {},
})

/** Runs a command line in an environment, and returns what it printed. */
export async function runIn(environment: CliEnvironment, args: readonly string[]): Promise<Ran> {
  let [out, err] = ['', '']
  const exit = await runCli(args, {
    ...environment,
    print(text) {
      out += text
      environment.print(text)
    },
    report(text) {
      err += text
      environment.report(text)
    },
  })
  return { exit, out, err }
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
      const clock = new FakeClock()
      const ended = new AbortController()
      const { env, ...others } = more
      const given = environmentOf(home)
      const environment = { ...given, clock, ...others, env: { ...given.env, ...env } }
      const running = runIn(environment, args).finally(() => ended.abort())
      while (!ended.signal.aborted) await clock.advance(500)
      return running
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}
