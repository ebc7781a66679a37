import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** The data folder that the backend will use for these flags and this environment. */
export function dataDirOf(
  flags: readonly string[],
  env: Env,
  platform: NodeJS.Platform = process.platform,
): string {
  const folder = flagValue(flags, '--data') ?? env['AUGURY_DATA']
  if (folder !== undefined && folder !== '') return resolve(folder)
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir()
  if (platform === 'win32')
    return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Augury')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Augury')
  return join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'augury')
}

function flagValue(flags: readonly string[], name: string): string | undefined {
  const index = flags.findLastIndex((flag) => flag === name || flag.startsWith(`${name}=`))
  const flag = flags[index]
  return flag === name ? flags[index + 1] : flag?.slice(name.length + 1)
}
