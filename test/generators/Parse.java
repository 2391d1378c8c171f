import com.sun.source.util.JavacTask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** Prints what the compiler's parser finds wrong with the programs in a folder, and how many there are. */
public class Parse {
  public static void main(String[] arguments) throws Exception {
    List<Path> files;
    try (var all = Files.walk(Path.of(arguments[0]))) {
      files = all.filter(path -> path.toString().endsWith(".java")).toList();
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    var problems = new DiagnosticCollector<JavaFileObject>();
    var manager = compiler.getStandardFileManager(problems, null, null);
    var sources = manager.getJavaFileObjectsFromPaths(files);
    ((JavacTask) compiler.getTask(null, manager, problems, null, null, sources)).parse();
    problems.getDiagnostics().forEach(System.out::println);
    System.out.println(files.size() + " files");
  }
}
