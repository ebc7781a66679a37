/** Exit code of `npm run package` where Electron's binary is absent. */
export const NO_ELECTRON: number
/** The folder of the installed Electron binary; null when it is absent or of another version. */
export function electronFolder(modules: string): string | null
/** The version of Electron that the lockfile names. */
export function electronVersion(modules: string): string
/** One sentence for a packager without the binary: what is missing, and what to do. */
export function noElectron(version: string): string
/** Whether the arguments of electron-builder name no other system or processor. */
export function isForThisSystem(args: readonly string[]): boolean
