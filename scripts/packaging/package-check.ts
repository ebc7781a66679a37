/**
 * `npm run package:check`: packs the app with electron-builder around a stand-in for Electron, and
 * runs the result on a plain Node outside the repository. Prints its findings; exits with 1 after
 * a fault.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildOutputs, isBallast, isNative, packApp, type PackedApp } from './packed-app.ts'
import { runPackedBackend, type BackendRun } from './packed-backend.ts'

/** Faults of a packed app, one sentence each. */
export function faultsOf({ files, beside }: PackedApp): readonly string[] {
  const buried = files.filter((path) => isNative(path) && !beside.includes(path))
  const ballast = files.filter((path) => isBallast(path))
  return [
    ...buried.map(
      (path) => `${path} is compiled code inside the archive, where it cannot be loaded`,
    ),
    ...ballast.map((path) => `${path} is useless to users of the app`),
    ...(files.some(isNative) ? [] : ['no compiled code was packed at all']),
  ]
}

/** Faults of a packed backend's run, one sentence each. */
export function faultsOfRun({
  answers,
  signUp,
  statement,
  exitCode,
  errors,
}: BackendRun): readonly string[] {
  const bad = Object.entries(answers).filter(([, { status }]) => status !== 200)
  return [
    ...bad.map(([path, { status }]) => `${path} answered ${status}`),
    ...('script' in answers ? [] : ['the page names no script']),
    ...(signUp === 201 || signUp === 200 ? [] : [`making an account answered ${signUp}`]),
    ...(statement === '[[true]]' ? [] : [`a SQL statement answered ${statement}`]),
    ...(exitCode === 0 ? [] : [`it ended with code ${String(exitCode)}`]),
    ...errors.map((line) => `its output: ${line}`),
  ]
}

if (import.meta.main) {
  const scratch = mkdtempSync(join(tmpdir(), 'augury-packed-'))
  try {
    await buildOutputs()
    const app = await packApp(scratch)
    console.log(`packed ${app.files.length} files, ${app.beside.length} of them beside the archive`)
    const dataDir = mkdtempSync(join(scratch, 'data-'))
    const run = await runPackedBackend(app.folder, dataDir)
    const faults = [...faultsOf(app), ...faultsOfRun(run)]
    for (const fault of faults) console.error(fault)
    if (faults.length === 0) {
      console.log(
        `the packed backend ${run.version} answered ${Object.keys(run.answers).join(', ')} on Node ${process.version} and stopped cleanly`,
      )
    }
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
