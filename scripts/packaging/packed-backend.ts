import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

const FLAGS = ['--port', '0', '--source', 'demo', '--seed', '7', '--demo-markets', '60']

/** Results of running a packed backend on a plain Node outside the repository. */
export interface BackendRun {
  readonly version: string
  /** Status and body, or the start of it, of each address that was read. */
  readonly answers: Readonly<Record<string, { readonly status: number; readonly text: string }>>
  /** Status of creating an account, which hashes a password. */
  readonly signUp: number
  /** Rows of a SQL statement, which a child process runs; or the other response. */
  readonly statement: string
  /** A bundled strategy, which a child process loads; or the other response. */
  readonly strategy: string
  readonly exitCode: number | null
  /** Error lines that it wrote. */
  readonly errors: readonly string[]
}

const READS = ['/healthz', '/api/health', '/api/public/markets?limit=3', '/', '/docs']

const POLL_MS = 100

/** Resolves when the first start has read the history; until then reads of it are answered 503. */
async function untilLoaded(url: string): Promise<void> {
  while (!(await fetch(new URL('/readyz', url))).ok) await pause(POLL_MS)
}

async function readAll(url: string): Promise<BackendRun['answers']> {
  const answers: Record<string, { status: number; text: string }> = {}
  for (const path of READS) {
    const answer = await fetch(new URL(path, url))
    answers[path] = { status: answer.status, text: await answer.text() }
  }
  const script = /src="(\/?assets\/[^"]+\.js)"/.exec(answers['/']?.text ?? '')?.[1]
  if (script !== undefined) {
    const answer = await fetch(new URL(script, url))
    answers['script'] = { status: answer.status, text: (await answer.text()).slice(0, 80) }
  }
  return answers
}

const signUp = async (url: string): Promise<number> => {
  const answer = await fetch(new URL('/api/signup', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({
      email: 'packed@augury.test',
      password: 'a phrase for the packed app',
      name: 'Packed',
    }),
  })
  await answer.text()
  return answer.status
}

const ownerOf = (dataDir: string): Record<string, string> => {
  const launch = readFileSync(join(dataDir, 'run', 'launch.json'), 'utf8')
  const { secret } = JSON.parse(launch) as { secret: string }
  return { authorization: `Launch ${secret}` }
}

const answerOfStatement = async (url: string, dataDir: string): Promise<string> => {
  const answer = await fetch(new URL('/api/sql', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ownerOf(dataDir) },
    body: JSON.stringify({ sql: 'select count(*) > 0 as any_market from markets' }),
  })
  const text = await answer.text()
  if (answer.status !== 200) return text
  return JSON.stringify((JSON.parse(text) as { rows: unknown }).rows)
}

const answerOfStrategy = async (url: string, dataDir: string): Promise<string> => {
  const path = '/api/backtests/strategies/buy-and-hold'
  const answer = await fetch(new URL(path, url), { headers: ownerOf(dataDir) })
  return answer.text()
}

/**
 * Starts the packed backend with the current Node, away from the repository and its packages,
 * reads from it and ends it as a user would.
 */
export async function runPackedBackend(app: string, dataDir: string): Promise<BackendRun> {
  const entry = join(app, 'dist', 'backend', 'main.js')
  const child = spawn(process.execPath, [entry, ...FLAGS, '--data', dataDir], {
    cwd: dataDir,
    // Nothing of the repository: neither its programs nor a path to its packages.
    env: { PATH: '/usr/bin:/bin', HOME: dataDir, AUGURY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!/"level":(?:10|20|30|40)\b|"level":"(?:trace|debug|info|warn)"/.test(line))
      errors.push(line)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve)
      void ended.then((code) =>
        reject(new Error(`the packed backend ended with ${String(code)}: ${errors.join('\n')}`)),
      )
    })
    const { url, version } = JSON.parse(line) as { url: string; version: string }
    await untilLoaded(url)
    const answers = await readAll(url)
    const created = await signUp(url)
    const statement = await answerOfStatement(url, dataDir)
    const strategy = await answerOfStrategy(url, dataDir)
    child.kill('SIGTERM')
    return { version, answers, signUp: created, statement, strategy, exitCode: await ended, errors }
  } finally {
    child.kill('SIGKILL')
  }
}
