import { expect, it } from 'vitest'
import type { ServedDelivery } from '../../../backend/contract/orders/watch.ts'
import { unshown } from './alert-notices.svelte.ts'

it('shows the alerts that are new since the last answer, oldest first', () => {
  const delivery = (id: string) => ({ id }) as Partial<ServedDelivery> as ServedDelivery
  const newestFirst = ['del_4', 'del_3', 'del_2', 'del_1'].map(delivery)
  const ids = (shown: readonly string[]) => unshown(newestFirst, shown).map(({ id }) => id)
  expect(ids(['del_2', 'del_1'])).toEqual(['del_3', 'del_4'])
  expect(ids(['del_4', 'del_3', 'del_2', 'del_1'])).toEqual([])
})
