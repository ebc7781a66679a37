import { expect, it } from 'vitest'
import { TickLeases } from './tick-leases.ts'

it('[portfolio.trigger.running] a lease is taken by one tick of a user, and released by it only', () => {
  const leases = new TickLeases()
  const release = leases.take('usr_1', 'pt_1')
  expect(leases.take('usr_1', 'pt_2')).toBeNull()
  expect(leases.holder('usr_1')).toBe('pt_1')
  const other = leases.take('usr_2', 'pt_3')
  release?.()
  expect([leases.holder('usr_1'), leases.holder('usr_2')]).toEqual([null, 'pt_3'])
  leases.take('usr_1', 'pt_4')
  // A late release of an earlier one ends nothing.
  release?.()
  expect(leases.holder('usr_1')).toBe('pt_4')
  other?.()
  expect(leases.holder('usr_2')).toBeNull()
})
