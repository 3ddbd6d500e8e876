//! Lines of scripts.

use skelmap::actorx::Psa;
use skelmap_write::edit::Exec;
use test_support::actorx::build::{Anim, chain, name};

use super::three;

#[test]
fn lines_import_a_mesh_and_the_sequences_of_the_file() {
    let lines =
        Exec::default().mesh("Fox", "models/fox.psk").animation("FoxAnims", r"models\fox.psa").to_lines().unwrap();
    let expected = r"#exec MESH MODELIMPORT MESH=Fox MODELFILE=models\fox.psk
#exec MESH ORIGIN MESH=Fox X=0 Y=0 Z=0 YAW=0 PITCH=0 ROLL=0
#exec MESHMAP SCALE MESHMAP=Fox X=1.0 Y=1.0 Z=1.0
#exec ANIM IMPORT ANIM=FoxAnims ANIMFILE=models\fox.psa COMPRESS=1 MAXKEYS=999999 IMPORTSEQS=1
#exec MESH DEFAULTANIM MESH=Fox ANIM=FoxAnims
#exec ANIM DIGEST ANIM=FoxAnims VERBOSE
";
    assert_eq!(lines, expected);
    assert_eq!(Exec::default().to_lines().unwrap(), "");
}

#[test]
fn lines_list_sequences_where_asked() {
    let mut anim = three();
    anim.infos[1].group = name("Move");
    anim.infos[2].rate = 12.5;
    let file: Vec<u8> = anim.chunks().into();
    let lines = Exec::default().animation("A", "a.psa").sequences(&Psa::parse(&file).unwrap()).to_lines().unwrap();
    let expected = "#exec ANIM IMPORT ANIM=A ANIMFILE=a.psa COMPRESS=1 MAXKEYS=999999 IMPORTSEQS=0
#exec ANIM SEQUENCE ANIM=A SEQ=Walk STARTFRAME=0 NUMFRAMES=4 RATE=30
#exec ANIM SEQUENCE ANIM=A SEQ=Run GROUP=Move STARTFRAME=4 NUMFRAMES=3 RATE=20
#exec ANIM SEQUENCE ANIM=A SEQ=Idle STARTFRAME=7 NUMFRAMES=5 RATE=12.5
#exec ANIM DIGEST ANIM=A VERBOSE
";
    assert_eq!(lines, expected);
}

#[test]
fn words_that_would_end_or_begin_a_line_are_refused() {
    for word in ["", "a b", "a\n#exec", "a=b", "\"a\""] {
        let error = Exec::default().mesh(word, "a.psk").to_lines().unwrap_err().to_string();
        assert!(error.contains("cannot be in a line of `#exec`"), "{error}");
        assert!(Exec::default().mesh("a", word).to_lines().is_err());
        let file: Vec<u8> = Anim::sway(chain(1), &[(word, 1, 1.0)]).chunks().into();
        let psa = Psa::parse(&file).unwrap();
        assert!(Exec::default().animation("a", "a.psa").sequences(&psa).to_lines().is_err());
    }
    // Names of these engines have no hyphen; paths may.
    assert!(Exec::default().mesh("a-b", "a.psk").to_lines().is_err());
    assert!(Exec::default().mesh("a", "a-b.psk").to_lines().is_ok());
    let file: Vec<u8> = Anim::sway(chain(1), &[("a", 1, 0.0)]).chunks().into();
    let error = Exec::default().animation("a", "a.psa").sequences(&Psa::parse(&file).unwrap()).to_lines().unwrap_err();
    assert_eq!(error.to_string(), "0 is no rate: expected a finite number above 0");
}
