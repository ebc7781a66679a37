import { describe, expect, it } from 'vitest'
import type { ImportHost } from '../import-host.ts'
import { createStager } from './stager.ts'

describe('the stager', () => {
  it('never uses a name twice, for any import', () => {
    const host = {} as ImportHost
    const stagers = [createStager(host, '/staged'), createStager(host, '/staged')]
    const paths = stagers.flatMap((stager) => [stager.nextPath(), stager.nextPath()])
    expect(new Set(paths).size).toBe(4)
  })
})
