import { homedir } from 'node:os'
import { join } from 'node:path'

/** The platform's folder for application data, with our name appended. */
export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir()
  if (platform === 'win32') {
    return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Augury')
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Augury')
  return join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'augury')
}
