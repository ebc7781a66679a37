import { join } from 'node:path'
import { DAY, type Millis } from '../../../backend/domain/units.ts'
import { DurableHistory } from '../../../backend/history/recovery/durable-history.ts'
import { systemClock } from '../../../backend/lib/clock.ts'
import { silentLogger } from '../../../backend/lib/logger.ts'
import { marketFacts } from '../../../backend/testing/builders.ts'

const OPEN_FOR = 90 * DAY

/** Records a market that is active in a new folder; returns its ticker. */
export async function makeActiveMarket(dataDir: string): Promise<string> {
  const durable = await DurableHistory.open({
    path: join(dataDir, 'history.duckdb'),
    dataDir,
    memoryLimitMb: 256,
    logger: silentLogger,
    clock: systemClock,
    wasClean: true,
    onDamage: ({ summary }) => {
      throw new Error(summary)
    },
  })
  const history = durable.store
  try {
    const now = systemClock.now()
    const facts = marketFacts({ status: 'active', closeTime: (now + OPEN_FOR) as Millis })
    const [market = -1] = await history.marketIds([facts])
    await history.append({ facts: [{ market, knownAt: now, facts }] })
    return facts.ticker
  } finally {
    await history.close()
  }
}
