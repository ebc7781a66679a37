import { VENUES } from '../../../backend/domain/market.ts'
import { SECOND } from '../../../backend/domain/units.ts'
import { parseScript } from '../../../backend/simulator/faults/parse-fault.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'
import type { Chance } from '../chance.ts'

/** Faults that change the stored data, when it becomes known, or its later corrections. */
const FAILURES: readonly object[] = [
  { kind: 'gap', count: 3 },
  { kind: 'gap', count: 3, about: ['trade'] },
  { kind: 'freeze', forMs: 40 * SECOND },
  { kind: 'drop' },
  { kind: 'reconnect-storm', milliseconds: SECOND, forMs: 8 * SECOND },
  { kind: 'duplicate', count: 20 },
  { kind: 'reorder', count: 3, width: 4 },
  { kind: 'lag', growth: 0.3, forMs: 15 * SECOND },
  { kind: 'status', status: 503, forMs: 20 * SECOND },
  { kind: 'truncate', count: 4 },
  { kind: 'wrong-types', count: 8 },
  { kind: 'late-trade', count: 3, milliseconds: 60 * SECOND },
  { kind: 'correct-trade', count: 2 },
  { kind: 'close-early' },
  { kind: 'delist', forMs: 30 * SECOND },
  { kind: 'relist' },
  { kind: 'pause', forMs: 20 * SECOND },
  { kind: 'clock-skew', milliseconds: 5 * SECOND, forMs: 20 * SECOND },
]

/** Injects a random fault; one that the venue does not support goes to the other venue. */
export function scheduleFailure(demo: DemoService, chance: Chance): void {
  const failure = chance.among(FAILURES)
  const first = chance.among(VENUES)
  for (const venue of [first, ...VENUES]) {
    const faults = parseScript({ steps: [{ venue, ...failure }] })
    if (typeof faults === 'string') continue
    demo.simulator.scheduleFaults(faults)
    return
  }
}
