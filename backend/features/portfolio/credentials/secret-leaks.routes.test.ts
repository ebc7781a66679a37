import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CredentialKey } from '../../../contract/orders/credentials.ts'
import type { ServedConfig } from '../../../contract/portfolio.ts'
import { envelopeBody } from '../../../testing/credentials.ts'
import { occurrences, occurrencesInMemory } from '../../../testing/process-memory.ts'
import { startTradingService, type TradingService } from '../../../testing/trading-service.ts'

const CANARY = 'MIIcanaryOfTheLeakTestMustNotBeFoundAnywhereQ7'
const PEM = `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----\n`
/** Texts are stored in one or in two bytes a character. */
const FORMS = [Buffer.from(CANARY), Buffer.from(CANARY, 'utf16le')]
/** Parts of the secret, which a copy in pieces would leave in memory. */
const PARTS = [0, 4, 8, 12, 16, 20, 24, 28, 32].map((at) => Buffer.from(CANARY.slice(at, at + 12)))

let service: TradingService
let out: string
let userId: string
beforeAll(async () => {
  service = await startTradingService(null)
  out = mkdtempSync(join(tmpdir(), 'augury-leaks-'))
  const path = '/api/portfolio/secrets'
  const key = (await service.send<CredentialKey>('POST', `${path}/key`, { venue: 'venue_a' }))[1]
  const body = await envelopeBody(key, { keyId: 'key-1', privateKeyPem: PEM })
  expect((await service.send('POST', path, body))[0]).toBe(200)
  const config = await service.send<ServedConfig>('GET', '/api/portfolio/config')
  userId = config[1].userId
})
afterAll(async () => {
  await service.stop()
  rmSync(out, { recursive: true, force: true })
})

/** Files below a folder that contain the canary. */
const filesWithCanary = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => FORMS.some((form) => readFileSync(path).includes(form)))

/** A process that opens the credentials on command. */
async function holder() {
  const script = join(import.meta.dirname, '..', '..', '..', 'testing', 'credential-holder.ts')
  const child = spawn(process.execPath, [script, service.dataDir, userId, out], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  expect(await next()).toBe('ready')
  return {
    pid: child.pid ?? 0,
    async order(line: string) {
      child.stdin.write(`${line}\n`)
      expect(await next()).toBe(line)
    },
    async end() {
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

it.skipIf(process.platform !== 'linux')(
  '[portfolio.secrets.memory] erased credentials are in no memory, heap snapshot or report',
  async () => {
    const process_ = await holder()
    const found = (forms = FORMS) => forms.map((one) => occurrencesInMemory(process_.pid, one))
    // The search finds a secret that is in memory.
    await process_.order('open')
    const [bytes = 0, texts] = found()
    expect([bytes, texts]).toEqual([1, 0])
    await process_.order('erase')
    expect(found()).toEqual([0, 0])
    expect(found(PARTS)).toEqual(PARTS.map(() => 0))
    await process_.order('dump')
    expect(readdirSync(out).toSorted()).toEqual(['heap.heapsnapshot', 'report.json'])
    expect(filesWithCanary(out)).toEqual([])
    await process_.end()
  },
)

it('[portfolio.secrets.files] no file, backup or answer contains stored credentials', async () => {
  await service.restart()
  const backup = join(out, 'backup')
  const created = await service.run('/api/backups', { out: backup, withSecrets: true })
  expect(created['state']).toBe('done')
  expect(filesWithCanary(service.dataDir)).toEqual([])
  expect(filesWithCanary(out)).toEqual([])
  expect(readdirSync(backup)).toContain('state.sqlite')
  for (const path of ['config', 'state', 'risk', 'ledger', 'ticks']) {
    const { text } = await service.ask('GET', `/api/portfolio/${path}`)
    expect(occurrences(Buffer.from(text), Buffer.from(CANARY))).toBe(0)
  }
})
