import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  failedCheck,
  warningCheck,
  passedCheck,
  type DoctorCheck,
} from '../../domain/doctor-check.ts'
import { fullDiskOf, FREE_SPACE_ADVICE } from '../../lib/files/disk-room.ts'
import { launchPathOf, readLaunch } from '../../lib/files/launch-file.ts'

const GB = 1e9
const MIN_FREE_SPACE = 5 * GB
const MIN_SHARE = 0.1
const FIX = 'augury doctor --fix'

/**
 * Checks the folder itself: it exists, belongs to the user, is closed to others, and has room and
 * no leftovers.
 */
export function checkFolder(dataDir: string, isRunning: boolean): DoctorCheck[] {
  const folderStats = statSync(dataDir, { throwIfNoEntry: false })
  if (folderStats === undefined) {
    return [
      warningCheck('data folder', `${dataDir} does not exist`, 'Start the service: augury serve'),
    ]
  }
  if (!folderStats.isDirectory()) {
    return [
      failedCheck('data folder', `${dataDir} is not a folder`, 'Choose another with --data DIR'),
    ]
  }
  return [
    ownership(dataDir, folderStats.uid),
    permissions(dataDir),
    freeDisk(dataDir),
    checkQuarantine(dataDir),
    staleFilesCheck(dataDir, isRunning),
  ]
}

/**
 * Closes files that others could read and removes leftovers of dead processes; returns the actions
 * taken.
 */
export function fixFolder(dataDir: string, isRunning: boolean): string[] {
  const fixes: string[] = []
  const attempt = (description: string, fix: () => void): void => {
    try {
      fix()
      fixes.push(description)
    } catch {
      // Places that cannot be fixed stay in the report.
    }
  }
  for (const { path, mode } of readableByOthers(dataDir)) {
    attempt(`${path} is now private to its owner`, () => chmodSync(path, mode))
  }
  for (const path of leftoverFiles(dataDir, isRunning)) {
    attempt(`${path} was removed`, () => rmSync(path, { recursive: true, force: true }))
  }
  return fixes
}

function ownership(dataDir: string, uid: number): DoctorCheck {
  const currentUser = process.getuid?.()
  const name = 'data folder'
  if (currentUser !== undefined && currentUser !== 0 && uid !== currentUser) {
    return failedCheck(name, `${dataDir} belongs to user ${uid}`, `chown it to user ${currentUser}`)
  }
  if (!isAccessible(dataDir)) {
    const fix = `chmod u+rwx ${dataDir}, or choose another with --data DIR`
    return failedCheck(name, `${dataDir} cannot be read or written`, fix)
  }
  const loosePaths = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(dataDir, entry.name))
    .filter((folder) => !isAccessible(folder))
  if (loosePaths.length === 0) return passedCheck(name, dataDir)
  // A service that another user started leaves them.
  const fix = `chown -R ${currentUser ?? 'USER'} ${dataDir}`
  return failedCheck(name, `${loosePaths.join(', ')} cannot be read or written`, fix)
}

function isAccessible(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Paths below a folder, relative to it. Folders that cannot be read, and those that a running
 * service removes meanwhile, are left out.
 */
function pathsBelow(folder: string, path = ''): string[] {
  try {
    return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
      const child = join(path, entry.name)
      return entry.isDirectory() ? [child, ...pathsBelow(folder, child)] : [child]
    })
  } catch {
    return []
  }
}

interface ReadablePath {
  readonly path: string
  readonly mode: number
}

/** Places with secrets, or personal data, that other users can read. */
function readableByOthers(dataDir: string): ReadablePath[] {
  if (process.platform === 'win32') return []
  const secrets = join(dataDir, 'secrets')
  const keys = pathsBelow(secrets).map((name) => join(secrets, name))
  const paths: ReadablePath[] = [
    ...[dataDir, secrets, join(dataDir, 'run')].map((path) => ({ path, mode: 0o700 })),
    ...[launchPathOf(dataDir), ...keys].map((path) => ({ path, mode: 0o600 })),
  ]
  return paths.filter(({ path }) => {
    // A place below a folder that cannot be read is closed.
    return existsSync(path) && (statSync(path).mode & 0o077) !== 0
  })
}

function permissions(dataDir: string): DoctorCheck {
  const open = readableByOthers(dataDir)
  if (open.length === 0) return passedCheck('permissions', 'closed to other users')
  const places = open.map(({ path }) => path).join(', ')
  return failedCheck('permissions', `other users can open ${places}`, FIX)
}

function freeDisk(dataDir: string): DoctorCheck {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const full = fullDiskOf(dataDir, free)
  if (full !== null) return failedCheck('free disk', full, FREE_SPACE_ADVICE)
  const summary = `${(free / GB).toFixed(1)} GB free, ${Math.floor(share * 100)} %`
  if (free >= MIN_FREE_SPACE && share >= MIN_SHARE) return passedCheck('free disk', summary)
  return warningCheck('free disk', summary, FREE_SPACE_ADVICE)
}

function checkQuarantine(dataDir: string): DoctorCheck {
  const quarantinedFiles = pathsBelow(dataDir).filter((name) => /\.corrupt-\d{4}-/.test(name))
  if (quarantinedFiles.length === 0) return passedCheck('quarantine', 'no damaged files')
  const fix = 'Delete them once you are sure that no data is missing'
  return warningCheck(
    'quarantine',
    `damaged files were set aside: ${quarantinedFiles.join(', ')}`,
    fix,
  )
}

/** Files of processes that have ended. A running service may be writing its own. */
function leftoverFiles(dataDir: string, isRunning: boolean): string[] {
  if (isRunning || !existsSync(dataDir)) return []
  const launch = readLaunch(dataDir)
  // A live process that does not answer may still hold the folder.
  if (launch !== null && isAlive(launch.pid)) return []
  const pathOf = (...names: string[]): string => join(dataDir, ...names)
  const parts = pathsBelow(dataDir).filter((name) => name.endsWith('.part'))
  const isRestorePending = existsSync(pathOf('restore-pending', 'ready.json'))
    ? []
    : [pathOf('restore-pending')]
  return [
    ...(existsSync(launchPathOf(dataDir)) ? [launchPathOf(dataDir)] : []),
    ...[pathOf('backup'), ...isRestorePending].filter((path) => existsSync(path)),
    ...parts.map((name) => pathOf(name)),
  ]
}

function staleFilesCheck(dataDir: string, isRunning: boolean): DoctorCheck {
  const names = leftoverFiles(dataDir, isRunning)
  if (names.length > 0) {
    return warningCheck('stale files', `left by a process that has ended: ${names.join(', ')}`, FIX)
  }
  if (existsSync(join(dataDir, 'restore-pending', 'ready.json'))) {
    return warningCheck(
      'stale files',
      'a restore is pending',
      'It is applied when the service starts',
    )
  }
  return passedCheck('stale files', 'none')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
