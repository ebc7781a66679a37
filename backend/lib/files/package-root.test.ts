import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACKAGE_ROOT, VERSION } from './package-root.ts'

describe('the package', () => {
  it('is found with its version from any entry point of the backend', () => {
    const { name, version } = JSON.parse(
      readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'),
    ) as { name: string; version: string }
    expect([name, version]).toEqual(['augury', VERSION])
    expect(existsSync(join(PACKAGE_ROOT, 'backend', 'main.ts'))).toBe(true)
  })
})
