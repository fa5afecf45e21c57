import { createRequire } from 'node:module';
import { projectFile } from '../support/twin.ts';

/** An option of a published type, as an editor shows it. */
export type PublishedOption = { name: string; type: string; documentation: string };

/** A symbol of the compiler's programming interface, which TypeScript 7 has no types of. */
type CompilerSymbol = { name: string; getDocumentationComment(checker: unknown): unknown };

/** The options that an exported type of a declaration file has. */
export function optionsOf(file: string, exportName: string): PublishedOption[] {
  const ts = createRequire(projectFile('tools/openapi-types/package.json'))('typescript');
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const exported: CompilerSymbol[] = checker.getExportsOfModule(
    checker.getSymbolAtLocation(program.getSourceFile(file)),
  );
  const symbol = exported.find(({ name }) => name === exportName);
  const properties: CompilerSymbol[] = checker.getPropertiesOfType(
    checker.getDeclaredTypeOfSymbol(symbol),
  );
  return properties.map((property) => ({
    name: property.name,
    type: checker.typeToString(checker.getTypeOfSymbol(property)),
    documentation: ts.displayPartsToString(property.getDocumentationComment(checker)),
  }));
}
