import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Marker of the fuses in Electron's binary, and the fuse wire before it is set. */
const FUSES = { mark: 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', version: 1, unset: '0'.repeat(8) }

/**
 * A folder that electron-builder accepts as an unpacked Electron of Linux: a program that does
 * nothing, with a fuse wire in it. Everything that electron-builder does with the app itself is
 * real.
 */
export function makeStandIn(folder: string, version: string): string {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '')
  const wire = Buffer.concat([
    Buffer.from(`#!/bin/sh\nexit 1\n# ${FUSES.mark}`),
    Buffer.from([FUSES.version, FUSES.unset.length]),
    Buffer.from(`${FUSES.unset}\n`),
  ])
  const program = join(folder, 'electron')
  writeFileSync(program, wire)
  chmodSync(program, 0o755)
  writeFileSync(join(folder, 'version'), version)
  return folder
}
