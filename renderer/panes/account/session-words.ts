import type { SessionRow, User } from '../../api/account-types.ts'

const BY_METHOD: Readonly<Record<SessionRow['method'], string>> = {
  local: 'at this machine',
  password: 'by password',
  external: 'by another provider',
}
export const methodWords = (method: SessionRow['method']): string => BY_METHOD[method]

export const providerWords = ({ provider, isOwner, isAdmin }: User): string => {
  if (isOwner) return 'Owner of the data folder'
  const kind = provider === 'external' ? 'Account of another provider' : 'Account with a password'
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
const LONGEST = 40

/** A program by what it says of itself: `Firefox on Linux`, else its own first words. */
export function programWords(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unnamed program'
  const nameIn = (table: typeof BROWSERS) => table.find(([mark]) => mark.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS)
  if (browser === undefined) return userAgent.slice(0, LONGEST)
  const system = nameIn(SYSTEMS)
  return system === undefined ? browser : `${browser} on ${system}`
}
