import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * Returns a check whether the compiler accepts a change of a file: that it reports no more errors
 * than for the present text. Components are not checked.
 */
export function typeChecker(root: string): (path: string, changed: string) => boolean {
  const read = (file: string): string => readFileSync(file, 'utf8')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), read) as { config: object }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const file = { path: '', text: '', version: 0 }
  const service = ts.createLanguageService({
    // A dropped statement may leave a name unused, which is no wrong type.
    getCompilationSettings: () => ({
      ...options,
      lib: [...(options.lib ?? []), 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      noUnusedLocals: false,
      noUnusedParameters: false,
    }),
    getScriptFileNames: () => [file.path],
    getScriptVersion: (path) => (path === file.path ? String(file.version) : 'stored'),
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path)
        ? ts.ScriptSnapshot.fromString(path === file.path ? file.text : read(path))
        : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
  })
  const errorsIn = (path: string, text: string): number => {
    Object.assign(file, { path, text, version: file.version + 1 })
    return service.getSemanticDiagnostics(path).length
  }
  return (path, changed) => {
    if (path.endsWith('.svelte')) return true
    const fullPath = join(root, path)
    return errorsIn(fullPath, changed) <= errorsIn(fullPath, read(fullPath))
  }
}
