import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { openHistory } from './history/duckdb/open.ts'
import { systemClock } from './lib/clock.ts'
import { silentLogger } from './lib/logger.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const END_PROCESS = new URL('./lib/process/end-process.ts', import.meta.url).href
/** One call of a function that takes minutes. */
const SLOW = `select levenshtein(a, b) from (select string_agg('ab', '') a, string_agg('ba', '') b from range(60000))`

const folders: string[] = []
const folder = (): string => {
  const created = mkdtempSync(join(tmpdir(), 'augury-stop-'))
  folders.push(created)
  return created
}
afterEach(() => {
  for (const created of folders.splice(0)) rmSync(created, { recursive: true, force: true })
})

describe('SIGTERM', () => {
  // [service.stop.statement]
  it('during a SQL statement ends the service within 6 s and frees its data folder', async () => {
    const dataDir = folder()
    const flags = ['--source', 'none', '--port', '0', '--data', dataDir]
    const child = spawn(process.execPath, [MAIN, ...flags], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { AUGURY_FAIR_USE: 'off' },
    })
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const { url } = JSON.parse(line) as { url: string }
      const { secret } = JSON.parse(readFileSync(join(dataDir, 'run', 'launch.json'), 'utf8')) as {
        secret: string
      }
      const statement = fetch(`${url}/api/sql`, {
        method: 'POST',
        headers: { authorization: `Launch ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ sql: SLOW }),
      }).then(
        ({ status }) => status,
        () => null,
      )
      const statements = join(dataDir, 'tmp', 'statements')
      while (!existsSync(statements) || readdirSync(statements).length === 0) await pause(20)
      await pause(500)
      const requested = systemClock.monotonic()
      child.kill('SIGTERM')
      const [code] = await exited
      expect(systemClock.monotonic() - requested).toBeLessThan(6_000)
      expect(code).toBe(0)
      expect([503, null]).toContain(await statement)
    } finally {
      child.kill('SIGKILL')
    }
    const path = join(dataDir, 'history.duckdb')
    const history = await openHistory({ path, memoryLimitMb: 64, logger: silentLogger })
    expect((await history.size()).markets).toBe(0)
    await history.close()
  })
})

describe('SIGTERM during the start', () => {
  it('ends the service with 0 and leaves no launch file', async () => {
    const dataDir = folder()
    const flags = ['--source', 'none', '--port', '0', '--data', dataDir]
    const child = spawn(process.execPath, [MAIN, ...flags], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { AUGURY_FAIR_USE: 'off' },
    })
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    try {
      // The port answers before the start is complete.
      while (!existsSync(join(dataDir, 'secrets', 'session.jwk'))) await pause(5)
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      expect(out).toBe('')
      expect(existsSync(join(dataDir, 'run', 'launch.json'))).toBe(false)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('the end of a process whose engine does not respond', () => {
  // [service.stop.statement]
  it('happens at once and reports why', async () => {
    const script = `
      import { DuckDBInstance } from '@duckdb/node-api'
      import { endProcess } from ${JSON.stringify(END_PROCESS)}
      const connection = await (await DuckDBInstance.create(':memory:')).connect()
      for (let n = 0; n < 5; n++) void connection.run(${JSON.stringify(SLOW)}).catch(() => {})
      process.on('exit', () => process.stderr.write('flushed\\n'))
      setTimeout(() => endProcess('killed for a reason'), 1_000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
    const started = systemClock.monotonic()
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    expect([code, signal]).toEqual([null, 'SIGKILL'])
    expect(systemClock.monotonic() - started).toBeLessThan(30_000)
    expect(log).toContain('augury: killed for a reason\n')
    expect(log).toContain('flushed\n')
  })
})
