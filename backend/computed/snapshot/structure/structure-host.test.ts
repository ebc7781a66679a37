import { expect, it } from 'vitest'
import { createStructureHost } from './structure-host.ts'

const NOTHING = { markets: [], hourly: null, leadLags: [], pairsOnly: false }

it('answers until it is closed, and starts no thread after that', async () => {
  const host = createStructureHost()
  expect((await host.read(NOTHING)).pairs).toEqual([])
  await host.close()
  await expect(host.read(NOTHING)).rejects.toThrow('The service is stopping')
})
