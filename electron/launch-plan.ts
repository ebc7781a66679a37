import { BAD_FLAGS, DATA_IN_USE } from './backend-process.ts'
import { runningAddress } from './entry-address.ts'

export type Way =
  | { readonly kind: 'electron'; readonly binary: string }
  | { readonly kind: 'app-window'; readonly browser: string }
  | { readonly kind: 'address' }

export interface LaunchEnvironment {
  /** Path of an Electron that can run the built shell, or null. */
  readonly electron: string | null
  /** Path of an installed Chromium, Chrome or Edge, or null. */
  readonly browser: string | null
  readonly hasDisplay: boolean
}

type Env = Readonly<Record<string, string | undefined>>

/** Ways to show the terminal, the best first. The last one, printing the address, always works. */
export function waysToShow({ electron, browser, hasDisplay }: LaunchEnvironment): readonly Way[] {
  const address: Way = { kind: 'address' }
  if (!hasDisplay) return [address]
  return [
    ...(electron === null ? [] : [{ kind: 'electron', binary: electron } as const]),
    ...(browser === null ? [] : [{ kind: 'app-window', browser } as const]),
    address,
  ]
}

/** Whether windows can be shown; macOS and Windows always have a desktop. */
export const hasDisplay = (platform: NodeJS.Platform, env: Env): boolean =>
  platform === 'darwin' ||
  platform === 'win32' ||
  Boolean(env['DISPLAY']) ||
  Boolean(env['WAYLAND_DISPLAY'])

/** Arguments with which Chromium shows one page as an app window. */
export const appWindowArguments = (
  address: string,
  profile: string,
  isAdministrator: boolean,
): readonly string[] => [
  `--app=${address}`,
  // With its own profile the process lives as long as the window.
  `--user-data-dir=${profile}`,
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  // As administrator, Chromium refuses to start with its sandbox.
  ...(isAdministrator ? ['--no-sandbox'] : []),
]

/** A window program that fails this soon never showed a window. */
const MIN_INTERVAL_MS = 15_000

/** Whether a window program may have shown its window before it ended. */
export const mayHaveShown = (code: number | null, ranMs: number): boolean =>
  code === 0 || ranMs > MIN_INTERVAL_MS

/** Whether the launcher ends with its window program; otherwise the next way is tried. */
export const endsWithWindow = (code: number, wasShown: boolean): boolean =>
  wasShown || code === BAD_FLAGS

/**
 * Address of another backend that serves the data folder and is opened instead of one that refused to
 * start; null when the launcher ends.
 * @param launchText text of the launch file in the data folder
 */
export const addressAfterRefusal = (code: number, launchText: string | null): string | null =>
  code === DATA_IN_USE ? runningAddress(launchText) : null

/** Node flags for the backend's process, the same everywhere. */
export const BACKEND_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=64']

/** Flags for the backend from Electron's arguments: those after `--`, which Chromium ignores. */
export function backendFlags(argv: readonly string[]): readonly string[] {
  const separator = argv.indexOf('--')
  return separator === -1 ? [] : argv.slice(separator + 1)
}

/** One sentence for the shell in which `npm start` was run. */
export function whereItRuns(address: string, way: Way['kind'], isOurs: boolean): string {
  const end = isOurs ? ' Ctrl+C stops it.' : ''
  const runs = isOurs ? 'Augury runs at' : 'Augury already runs at'
  if (way === 'address') return `${runs} ${address} (${howToOpen(address)}).${end}`
  return `${runs} ${address} in a window of its own.${end}`
}

/** A ticket in the address is valid for one minute; without it the page opens for public reads. */
const howToOpen = (address: string): string =>
  address.includes('#ticket=')
    ? 'open it in a browser within a minute; later: npx augury open'
    : 'open it in a browser'
