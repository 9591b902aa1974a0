//! Writes the seeds of the search: a folder of texts and a dictionary for each entry point.

use std::path::PathBuf;
use std::{env, fs, io};

use entry_points::EntryPoint;

fn main() -> io::Result<()> {
    let folder: PathBuf = env::args_os().nth(1).ok_or_else(|| io::Error::other("into which folder?"))?.into();
    for entry in EntryPoint::ALL.into_iter().chain([EntryPoint::BROKEN]) {
        let (texts, seeds) = (folder.join(entry.name), entry_points::seeds(entry.name));
        fs::create_dir_all(&texts)?;
        for (nth, seed) in seeds.iter().enumerate() {
            fs::write(texts.join(format!("{nth:03}")), seed)?;
        }
        let quoted = |word: &String| {
            let bytes = word.bytes().map(|byte| match byte {
                b'"' | b'\\' => format!("\\x{byte:02X}"),
                b' '..=b'~' => char::from(byte).to_string(),
                _ => format!("\\x{byte:02X}"),
            });
            format!("\"{}\"\n", bytes.collect::<String>())
        };
        let words: String = entry_points::dictionary(&seeds).iter().map(quoted).collect();
        fs::write(folder.join(format!("{}.dict", entry.name)), words)?;
    }
    Ok(())
}
