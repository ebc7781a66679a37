import type { SessionRow, UserBody } from '../../../backend/contract/accounts.ts'

const BY_METHOD: Readonly<Record<SessionRow['method'], string>> = {
  local: 'on this machine',
  password: 'with a password',
  external: 'through another provider',
}
export const methodLabel = (method: SessionRow['method']): string => BY_METHOD[method]

export const providerLabel = ({ provider, isOwner, isAdmin }: UserBody): string => {
  if (isOwner) return 'Owner of the data folder'
  const kind = provider === 'external' ? 'Account from another provider' : 'Account with a password'
  return isAdmin ? `${kind}, administrator` : kind
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Electron\//, 'Desktop window'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
const MAX_LENGTH = 40

/** A program by its user agent: `Firefox on Linux`, else the agent's first words. */
export function programLabel(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unnamed program'
  const nameIn = (table: typeof BROWSERS) => table.find(([mark]) => mark.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS)
  if (browser === undefined) return userAgent.slice(0, MAX_LENGTH)
  const system = nameIn(SYSTEMS)
  return system === undefined ? browser : `${browser} on ${system}`
}
