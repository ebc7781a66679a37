import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Exit code of `npm run package` when Electron's binary is missing. */
export const NO_ELECTRON = 4

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : null)

/** The folder of the installed Electron binary; null when it is missing or of another version. */
export function electronFolder(modules) {
  const folder = join(modules, 'electron')
  const binary = textOf(join(folder, 'path.txt'))
  const version = textOf(join(folder, 'dist', 'version'))
  if (binary === null || !existsSync(join(folder, 'dist', binary))) return null
  return version?.replace(/^v/, '') === electronVersion(modules) ? join(folder, 'dist') : null
}

/** The version of Electron in the lockfile. */
export const electronVersion = (modules) =>
  JSON.parse(readFileSync(join(modules, 'electron', 'package.json'), 'utf8')).version

/** The message for packaging without the binary: what is missing, and what to do. */
export const noElectron = (version) =>
  `Electron ${version} is not installed here, so there is nothing to pack the app into: ` +
  'run `npx install-electron` where it can be downloaded and this command again ' +
  '(`npm run package:check` proves the rest without it).'

const OTHER_TARGET =
  /^(?:-[mwl]+|--(?:mac|macos|win|windows|linux|x64|arm64|ia32|armv7l|universal))$/

/**
 * The installed binary serves its own system; for another one electron-builder downloads its own.
 */
export const isForThisSystem = (args) => !args.some((word) => OTHER_TARGET.test(word))
