import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Folder of our package.json: the backend runs from source in `backend/` and built from
 * `dist/backend/`, and locates other files from here.
 */
export const PACKAGE_ROOT: string = rootAbove(import.meta.dirname)

/** Version of the product, as package.json states it. */
export const VERSION: string = versionIn(PACKAGE_ROOT)

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parentFolder = dirname(folder)
  if (parentFolder === folder) throw new Error('No package.json was found above the backend')
  return rootAbove(parentFolder)
}

function versionIn(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
