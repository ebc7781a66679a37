import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { startWholeService, type WholeService } from '../backend/testing/whole-service.ts'
import { cookieHeaders, recordAccountEnd, recordAccounts } from './openapi-examples/accounts.ts'
import { recordForum } from './openapi-examples/forum.ts'
import { recordJobs } from './openapi-examples/jobs.ts'
import { recordMarkets } from './openapi-examples/markets.ts'
import { recordPanels, recordTerminal } from './openapi-examples/panels.ts'
import {
  recordIntents,
  recordPortfolio,
  recordPull,
  recordTicks,
} from './openapi-examples/portfolio.ts'
import { recorded, recorder, replaced, type RecordExample } from './openapi-examples/recorder.ts'
import { recordIdentityProvider, recordReplay } from './openapi-examples/services.ts'
import { recordTheses } from './openapi-examples/theses.ts'
import { recordWatch, recordWebhooks } from './openapi-examples/watch.ts'

/**
 * Records one request and answer of each operation of the OpenAPI document against a demo, and
 * writes them to `backend/contract/examples.json`, shortened so that lists keep their first entry and
 * long texts their beginning. Secrets and folders of this machine are replaced. The requests of each area are in `openapi-examples/`.
 * Usage: node scripts/openapi-examples.ts
 */
const FILE = join(import.meta.dirname, '..', 'backend', 'contract', 'examples.json')
const MARKETS = 120

const demo = await startWholeService(MARKETS)
const folder = demo.dataDir
replaced.push([folder, '/home/ann/augury'], [/\/tmp\/augury-[\w-]+/g, '/home/ann/augury'])
await recordDemo(demo)
await recordReplay(demo)
await demo.close()
await recordIdentityProvider(demo.document)
await recordPull(demo.document)
const sorted = Object.fromEntries([...recorded].sort(([a], [b]) => (a < b ? -1 : 1)))
const style = { ...(await resolveConfig(FILE)), filepath: FILE }
writeFileSync(FILE, await format(JSON.stringify(sorted), style))
process.exit(0)

async function recordDemo(service: WholeService): Promise<void> {
  const { owner, document } = service
  const launch = { authorization: `Launch ${service.secret}` }
  const cookie = cookieHeaders(owner.cookie)
  const data = { authorization: `Bearer ${owner.dataKey.key}` }
  const record = recorder(
    document,
    async (path, sending) => {
      // A ticket lives for a minute only.
      if (path !== '/api/auth/exchange') service.nextMinute()
      return service.ask(path, sending)
    },
    { launch, cookie, data },
  )

  const ticker = await recordMarkets(record)
  const mary = await recordAccounts(record, service, launch)
  await recordPanels(record, cookie)
  await recordIntents(record, ticker)
  await recordWatch(record, ticker)
  await recordWebhooks(record)
  await recordForum(record, ticker)
  await recordTheses(record, ticker)
  await recordTerminal(record, ticker)
  await recordPortfolio(record, ticker)
  await recordTicks(record, ticker)
  await recordJobs(record, ticker, folder)
  await recordParameterless(record, service)
  await recordAccountEnd(record, service, mary)
}

/** Reads that need no parameter and were not recorded before. */
async function recordParameterless(
  record: RecordExample,
  { document }: WholeService,
): Promise<void> {
  for (const [path, methods] of Object.entries(document.paths)) {
    const operation = methods['get']
    const isReplay = path.startsWith('/api/replay')
    if (operation === undefined || recorded.has(operation.operationId) || isReplay) continue
    if (operation.parameters.some(({ required }) => required)) continue
    const hasForms = operation.parameters.some(({ name }) => name === 'format')
    await record(operation.operationId, hasForms ? { parameters: { format: 'json' } } : {})
  }
}
