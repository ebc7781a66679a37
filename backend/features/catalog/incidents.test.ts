import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openState, type State } from '../../state/open.ts'
import type { Component, ComponentStatus } from './incident.ts'
import { createIncidentLog } from './incidents.ts'
import { createIncidentsStore } from './incidents.store.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const after = (span: number) => (NOW + span) as Millis
const part = (status: ComponentStatus): Component[] => [
  { name: 'venue_a', status, lastOkAt: null, dataAgeSeconds: null, message: 'It fell silent' },
]

describe('incidents', () => {
  let state: State
  beforeEach(async () => {
    state = await openState(':memory:')
  })
  afterEach(() => state.destroy())
  const newLog = () => createIncidentLog(createIncidentsStore(state), silentLogger)

  it('opens one after a minute of degradation, and closes it on recovery', () => {
    const log = newLog()
    log.observe(part('outage'), NOW)
    log.observe(part('outage'), after(MINUTE - 1))
    expect(log.recent(after(MINUTE))).toEqual([])
    log.observe(part('outage'), after(MINUTE))
    log.observe(part('outage'), after(2 * MINUTE))
    expect(log.recent(after(HOUR))).toMatchObject([
      { title: 'venue_a is down', startedAt: NOW, resolvedAt: null },
    ])
    log.observe(part('operational'), after(HOUR))
    expect(log.recent(after(HOUR))).toMatchObject([{ startedAt: NOW, resolvedAt: after(HOUR) }])
    expect(log.recent(after(91 * DAY))).toEqual([])
  })

  it('states that a degraded component is down, also after a restart', async () => {
    const log = newLog()
    log.observe(part('degraded'), NOW)
    log.observe(part('degraded'), after(MINUTE))
    log.observe(part('outage'), after(HOUR))
    const incident = {
      impact: 'outage',
      title: 'venue_a is down',
      startedAt: NOW,
      updates: [{ at: after(MINUTE) }, { at: after(HOUR), text: 'It fell silent' }],
    }
    // The incident keeps the worst state.
    log.observe(part('degraded'), after(2 * HOUR))
    expect(log.recent(after(2 * HOUR))).toMatchObject([incident])
    const next = newLog()
    await expect
      .poll(async () => {
        await next.resume(after(2 * HOUR))
        return next.recent(after(2 * HOUR))
      })
      .toMatchObject([incident])
  })

  it('opens none for degradation within the minute', () => {
    const log = newLog()
    log.observe(part('degraded'), NOW)
    log.observe(part('operational'), after(30_000))
    log.observe(part('degraded'), after(MINUTE))
    expect(log.recent(after(HOUR))).toEqual([])
  })

  it('survive a restart, and close on the next recovery', async () => {
    const first = newLog()
    first.observe(part('outage'), NOW)
    first.observe(part('outage'), after(MINUTE))
    const second = newLog()
    await expect
      .poll(async () => {
        await second.resume(after(HOUR))
        return second.recent(after(HOUR)).length
      })
      .toBe(1)
    second.observe(part('operational'), after(HOUR))
    expect(second.recent(after(HOUR))).toMatchObject([
      {
        resolvedAt: after(HOUR),
        updates: [{ text: 'It fell silent' }, { text: 'venue_a works again' }],
      },
    ])
  })
})
